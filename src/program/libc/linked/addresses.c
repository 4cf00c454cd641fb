/* Compiled into a program that converts addresses of the internet to text and back. All names are weak: the
 * program's own win. */
#line 1 "<addresses>"
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WEAK __attribute__((weak))

/* Four decimal numbers up to 255, without signs and zeros in front. */
static int read_four(const char *text, unsigned char *to)
{
    for (int i = 0; i < 4; i++) {
        unsigned number = 0;
        int digits = 0;
        for (; *text >= '0' && *text <= '9'; text++, digits++) {
            if (digits > 0 && number == 0)
                return 0;
            number = number * 10 + (unsigned)(*text - '0');
            if (number > 255)
                return 0;
        }
        if (digits == 0 || *text != (i < 3 ? '.' : 0))
            return 0;
        text += i < 3;
        to[i] = (unsigned char)number;
    }
    return 1;
}

static int digit_of(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* Eight groups of hexadecimal digits; "::" once for some that are zero; the last two may be four numbers. */
static int read_eight(const char *text, unsigned char *to)
{
    unsigned char bytes[16] = {0};
    int at = 0, gap = -1;
    if (*text == ':' && *++text != ':')
        return 0;
    while (*text) {
        const char *group = text;
        unsigned number = 0;
        int digits = 0;
        if (*text == ':') {
            if (gap >= 0)
                return 0;
            gap = at;
            text++;
            continue;
        }
        for (; digit_of(*text) >= 0; text++)
            if (++digits > 4)
                return 0;
            else
                number = number << 4 | (unsigned)digit_of(*text);
        if (*text == '.' && at + 4 <= 16 && read_four(group, bytes + at)) {
            at += 4;
            break;
        }
        if (digits == 0 || at + 2 > 16 || (*text && *text != ':') || (*text == ':' && !text[1]))
            return 0;
        bytes[at++] = (unsigned char)(number >> 8);
        bytes[at++] = (unsigned char)number;
        text += *text == ':';
    }
    if (gap < 0 ? at != 16 : at == 16)
        return 0;
    if (gap >= 0) {
        memmove(bytes + 16 - (at - gap), bytes + gap, (size_t)(at - gap));
        memset(bytes + gap, 0, (size_t)(16 - at));
    }
    memcpy(to, bytes, 16);
    return 1;
}

WEAK int inet_pton(int family, const char *restrict text, void *restrict to)
{
    unsigned char four[4];
    if (family == AF_INET) {
        int good = read_four(text, four);
        if (good)
            memcpy(to, four, 4);
        return good;
    }
    if (family == AF_INET6)
        return read_eight(text, to);
    errno = EAFNOSUPPORT;
    return -1;
}

static void write_four(const unsigned char *from, char *text)
{
    sprintf(text, "%u.%u.%u.%u", from[0], from[1], from[2], from[3]);
}

/* The longest run of zero groups, from two on, is "::". */
static void write_eight(const unsigned char *from, char *text)
{
    unsigned groups[8];
    int best = -1, length = 1;
    for (int i = 0; i < 8; i++)
        groups[i] = (unsigned)from[2 * i] << 8 | from[2 * i + 1];
    for (int i = 0; i < 8; i++) {
        int run = 0;
        while (i + run < 8 && groups[i + run] == 0)
            run++;
        if (run > length) {
            best = i;
            length = run;
        }
    }
    int ends_with_four = best == 0 && (length == 6 || (length == 7 && groups[7] != 1) ||
                                       (length == 5 && groups[5] == 0xffff));
    for (int i = 0; i < 8; i++) {
        if (i == best) {
            text += sprintf(text, "::");
            i += length - 1;
        } else if (i == 6 && ends_with_four) {
            write_four(from + 12, text);
            return;
        } else {
            text += sprintf(text, "%x%s", groups[i], i < 7 && i + 1 != best ? ":" : "");
        }
    }
}

WEAK const char *inet_ntop(int family, const void *restrict from, char *restrict to, socklen_t room)
{
    char text[INET6_ADDRSTRLEN];
    if (family != AF_INET && family != AF_INET6) {
        errno = EAFNOSUPPORT;
        return NULL;
    }
    (family == AF_INET ? write_four : write_eight)(from, text);
    if (strlen(text) >= room) {
        errno = ENOSPC;
        return NULL;
    }
    return strcpy(to, text);
}

/* One to four numbers, as in C; the last one fills what is left. */
WEAK int inet_aton(const char *text, struct in_addr *to)
{
    unsigned long parts[4];
    int count = 0;
    char *end;
    for (;; text = end + 1) {
        if (count == 4 || *text < '0' || *text > '9')
            return 0;
        parts[count++] = strtoul(text, &end, 0);
        if (*end != '.')
            break;
    }
    if (*end && *end != ' ' && *end != '\t' && *end != '\n')
        return 0;
    unsigned long address = parts[count - 1];
    if (address > 0xffffffffUL >> 8 * (count - 1))
        return 0;
    for (int i = 0; i + 1 < count; i++) {
        if (parts[i] > 255)
            return 0;
        address |= parts[i] << (24 - 8 * i);
    }
    if (to)
        to->s_addr = htonl((unsigned)address);
    return 1;
}

WEAK in_addr_t inet_addr(const char *text)
{
    struct in_addr address;
    return inet_aton(text, &address) ? address.s_addr : INADDR_NONE;
}

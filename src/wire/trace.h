/* Counterexample files (.mzt), version 1.
 *
 * UTF-8 text, one thing per line: a word that says what, a blank, the rest. Lines that are empty or begin
 * with '#' are comments. In the rest, \\ \n \r \t \| stand for a backslash, a line feed, a carriage return, a
 * tab, a bar; \xHH is any other byte that is not readable text. The first line is 'mazurka-trace 1', or
 * 'mazurka-trace 1 SUM' with the SHA-256 of all that follows it, so that a file which was changed or cut off
 * is recognised (who edits one leaves the sum out). Then, in any order but steps last:
 *
 *   machine native|dlang     what kind of program it is
 *   directory NAME           where the check ran: names of files are relative to it
 *   source SHA256 FILE       what a file was when the check ran
 *   file NAME                its files, in order (dlang: one)
 *   compiler NAME            native: if another than the usual one was asked for
 *   flag WORD                for compiling (dlang: -DNAME=NUMBER), one line per word
 *   link WORD                for linking
 *   allow NAME               a function that is called unchecked, or asm
 *   argument WORD            of the program
 *   check KIND[,KIND]        what counts as an error
 *   main-exit end|join       native, as the options of 'mazurka check'; if not given, what is usual
 *   unroll N
 *   patience SECONDS
 *   world ANSWER             what a call of sockets may answer (world.h)
 *   nondet LOW..HIGH
 *   after-races go-on        native: a thread goes on after a data race, so that others are found, too
 *   threads PATHS            native: how thread 1, 2, … came about; 0.1 is the second child of thread 0
 *   shared PLACES            native: what its threads share, see program/machine/knowledge.c; may be repeated
 *   error KIND THREAD LINE:COLUMN FILE   what happens after the last step; LINE 0 and no FILE: place unknown
 *   other LINE:COLUMN FILE   of a data race: where the earlier access is
 *   message TEXT
 *   found-after N            steps of the execution in which it was found; N or fewer are left here
 *   choices N,N,…            made before the first step
 *   step THREAD CHOICES | FILE:LINE:COLUMN | OPERATION | EFFECT
 *   end                      so that a file that was cut off is recognised
 *
 * A step's CHOICES are numbers with commas between them, or '-'; NAME= may stand before the number of an
 * input. What follows the first bar is for people; replay compares OPERATION and LINE with what happens,
 * where they are given.
 *
 * Replaying compiles and runs the program that the file names, with the compiler and the flags that it names:
 * a file from somebody else deserves the trust that a Makefile does. */
#ifndef MZ_WIRE_TRACE_H
#define MZ_WIRE_TRACE_H

#define MZ_TRACE_MAGIC   "mazurka-trace"
#define MZ_TRACE_VERSION 1

/* Everything that a reader allocates is bounded by this. */
#define MZ_TRACE_MOST_BYTES (64u << 20)

#endif

/* Instructions, one after the other. */
#include "base/memory.h"
#include "model/arithmetic.h"
#include "model/buffers.h"

/* Instructions run in loops of one step after which a thread is taken to be running for ever. */
enum { LOCAL_LIMIT = 100 * 1000 * 1000 };

static void record(mz__vm *m, mz__run_mode mode, uint32_t location, uint32_t kind)
{
    mz_access **list = mode == MZ__PERFORM ? &m->executed : &m->previewed;
    size_t *capacity = mode == MZ__PERFORM ? &m->executed_capacity : &m->previewed_capacity;
    for (uint32_t i = 0; i < m->access_count; i++)
        if ((*list)[i].location == location) {
            if ((*list)[i].kind != MZ_WRITE) /* else it reads what it has written itself */
                (*list)[i].kind |= kind;
            return;
        }
    *list = mz_grow(*list, capacity, (size_t)m->access_count + 1, sizeof **list);
    (*list)[m->access_count++] = (mz_access){location, kind};
}

static mz_outcome fail(mz__vm *m, mz__run_mode mode, uint32_t thread, uint32_t at, mz_failure_kind kind,
                       const char *format, ...) __attribute__((format(printf, 6, 7)));

static mz_outcome fail(mz__vm *m, mz__run_mode mode, uint32_t thread, uint32_t at, mz_failure_kind kind,
                       const char *format, ...)
{
    if (mode == MZ__PREVIEW)
        return MZ_STEP_FAILED;
    mz_failure *failure = &m->base.failures[m->base.failure_count++];
    failure->kind = kind;
    failure->thread = thread;
    failure->position = m->code->positions[at];
    mz_text_clear(&failure->message);
    va_list arguments;
    va_start(arguments, format);
    mz_text_add_list(&failure->message, format, arguments);
    va_end(arguments);
    return MZ_STEP_FAILED;
}

static mz_outcome fail_index(mz__vm *m, mz__run_mode mode, uint32_t thread, uint32_t at, int64_t index)
{
    const mz_variable *v = m->program->variables[m->code->instructions[at].variable];
    return fail(m, mode, thread, at, MZ_FAIL_INDEX, "index %lld is outside '%s', which has %u cell%s",
                (long long)index, v->name, v->length, v->length == 1 ? "" : "s");
}

static mz_outcome fail_endless(mz__vm *m, mz__run_mode mode, uint32_t thread, uint32_t at)
{
    mz_position p = m->code->positions[at];
    fail(m, mode, thread, at, MZ_FAIL_ASSERTION,
         "process %u is busy without end at %s:%u: %d instructions without an event", thread, p.file, p.line,
         LOCAL_LIMIT);
    return MZ_STEP_GIVEN_UP;
}

/* Do the writes of the operation at which it stands wait in a buffer? */
static bool delays_writes(const mz__vm *m, uint32_t thread)
{
    const mz_static_operation *operation = mz__has_buffers(m) ? mz__operation_at(m, thread) : NULL;
    return operation && !operation->drains;
}

mz_outcome mz__vm_run(mz__vm *m, uint32_t thread, mz__run_mode mode, bool recording, mz_choices *choices)
{
#define CELL(index)                                                                                          \
    if ((uint64_t)(index) >= in->b)                                                                          \
        return fail_index(m, mode, thread, at, index);
#define TOUCH(location, kind)                                                                                \
    if (recording && !(delays && (kind) == MZ_WRITE))                                                        \
        record(m, mode, (uint32_t)(location), kind);
#define STORE(location, what)                                                                                \
    if (storing) {                                                                                           \
        shared[location] = what;                                                                             \
        if (delays)                                                                                          \
            mz__delay(m, thread, (uint32_t)(location), what);                                                \
    }

    const mz_code *code = m->code;
    int64_t *words = mz__thread_words(m, thread), *locals = words + 1;
    const bool delays = delays_writes(m, thread);
    int64_t *shared = delays ? mz__seen_by(m, thread) : m->shared;
    int64_t *top = m->stack - 1; /* the topmost value */
    const bool storing = mode == MZ__PERFORM || m->state == m->scratch;
    uint32_t at = (uint32_t)words[0];
    if (code->instructions[at].code == MZ_CODE_EVENT)
        at++;
    int64_t left = LOCAL_LIMIT;
    for (;; at++) {
        const mz_instruction *in = &code->instructions[at];
        int64_t index, value;
        switch (in->code) {
        case MZ_CODE_NUMBER:
            *++top = code->numbers[in->a];
            break;
        case MZ_CODE_LOAD_LOCAL:
            *++top = locals[in->a];
            break;
        case MZ_CODE_LOAD_LOCAL_AT:
            CELL(*top)
            *top = locals[in->a + *top];
            break;
        case MZ_CODE_LOAD_CONST_AT:
            CELL(*top)
            *top = code->numbers[in->a + *top];
            break;
        case MZ_CODE_LOAD_SHARED:
            TOUCH(in->a, MZ_READ)
            *++top = shared[in->a];
            break;
        case MZ_CODE_LOAD_SHARED_AT:
            CELL(*top)
            TOUCH(in->a + *top, MZ_READ)
            *top = shared[in->a + *top];
            break;
        case MZ_CODE_STORE_LOCAL:
            if (storing)
                locals[in->a] = *top;
            top--;
            break;
        case MZ_CODE_STORE_LOCAL_AT:
            value = *top--;
            index = *top--;
            CELL(index)
            if (storing)
                locals[in->a + index] = value;
            break;
        case MZ_CODE_STORE_SHARED:
            TOUCH(in->a, MZ_WRITE)
            STORE(in->a, *top)
            top--;
            break;
        case MZ_CODE_STORE_SHARED_AT:
            value = *top--;
            index = *top--;
            CELL(index)
            TOUCH(in->a + index, MZ_WRITE)
            STORE(in->a + index, value)
            break;
        case MZ_CODE_CAS_LOCAL_AT:
        case MZ_CODE_CAS_SHARED_AT: {
            bool is_shared = in->code == MZ_CODE_CAS_SHARED_AT;
            int64_t *cells = is_shared ? shared : locals;
            value = *top--;
            int64_t expected = *top--;
            index = *top;
            CELL(index)
            bool success = cells[in->a + index] == expected;
            if (is_shared)
                TOUCH(in->a + index, (success ? MZ_READ | MZ_WRITE : MZ_READ))
            if (success && storing)
                cells[in->a + index] = value;
            *top = success;
            break;
        }
        case MZ_CODE_DIVISION:
            if (*top == 0)
                return fail(m, mode, thread, at, MZ_FAIL_DIVISION, "division by zero");
            __attribute__((fallthrough));
        case MZ_CODE_BINARY:
            value = *top--;
            *top = mz_evaluate((mz_expression_kind)in->a, *top, value);
            break;
        case MZ_CODE_UNARY:
            *top = mz_evaluate((mz_expression_kind)in->a, *top, 0);
            break;
        case MZ_CODE_TRUTH:
            *top = *top != 0;
            break;
        case MZ_CODE_JUMP:
            left -= at >= in->a ? (int64_t)(at - in->a) + 1 : 0; /* backwards: once more through all that */
            if (left < 0)
                return fail_endless(m, mode, thread, in->a);
            at = in->a - 1;
            break;
        case MZ_CODE_JUMP_IF_ZERO:
            if (*top-- == 0)
                at = in->a - 1;
            break;
        case MZ_CODE_AND_ELSE_JUMP:
            if (*top == 0)
                at = in->a - 1;
            else
                top--;
            break;
        case MZ_CODE_OR_ELSE_JUMP:
            if (*top != 0) {
                *top = 1;
                at = in->a - 1;
            } else {
                top--;
            }
            break;
        case MZ_CODE_POP:
            top--;
            break;
        case MZ_CODE_CHOOSE:
            value = *top--;
            index = *top--;
            if (index > value)
                return fail(m, mode, thread, at, MZ_FAIL_CHOICE,
                            "choose(%lld, %lld): there is nothing to choose from", (long long)index,
                            (long long)value);
            locals[in->a] = mz_choose(choices, index, value);
            break;
        case MZ_CODE_ASSERT:
            if (*top-- == 0 && !m->base.ignore_assertions)
                return fail(m, mode, thread, at, MZ_FAIL_ASSERTION, "assertion failed: %s",
                            code->texts[in->a]);
            break;
        case MZ_CODE_ASSUME:
            if (*top-- == 0)
                return MZ_STEP_PRUNED;
            break;
        case MZ_CODE_LOCK:
            index = *top--;
            CELL(index)
            TOUCH(in->a + index, MZ_READ | MZ_WRITE)
            if (mode == MZ__PREVIEW)
                *++top = shared[in->a + index] == 0;
            else
                shared[in->a + index] = (int64_t)thread + 1;
            break;
        case MZ_CODE_UNLOCK:
            index = *top--;
            CELL(index)
            TOUCH(in->a + index, MZ_READ)
            if (shared[in->a + index] != (int64_t)thread + 1)
                return fail(m, mode, thread, at, MZ_FAIL_LOCK,
                            shared[in->a + index] == 0 ? "unlock of a lock that nobody holds"
                                                       : "unlock of a lock that process %lld holds",
                            (long long)shared[in->a + index] - 1);
            TOUCH(in->a + index, MZ_WRITE)
            STORE(in->a + index, 0)
            break;
        case MZ_CODE_DONE:
            words[0] = at;
            if (mode == MZ__PREVIEW) {
                m->guard = top >= m->stack ? *top : 0;
                return MZ_STEP_DONE;
            }
            recording = false;
            break;
        case MZ_CODE_EVENT:
        case MZ_CODE_FINISH:
            words[0] = at;
            return MZ_STEP_DONE;
        }
    }
#undef CELL
#undef TOUCH
#undef STORE
}

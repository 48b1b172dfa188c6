/* Forces inlining. With constant arguments, the compiler specialises each copy and removes its
 * loops and branches. */
#ifndef TRACETOOL_ALWAYS_INLINE_H
#define TRACETOOL_ALWAYS_INLINE_H

#define ALWAYS_INLINE static inline __attribute__((always_inline))

#endif

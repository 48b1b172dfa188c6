/* Makes the compiler inline a function always. If some arguments are constants, it then compiles a
 * copy for these without their loops and branches. */
#ifndef TRACETOOL_ALWAYS_INLINE_H
#define TRACETOOL_ALWAYS_INLINE_H

#define ALWAYS_INLINE static inline __attribute__((always_inline))

#endif

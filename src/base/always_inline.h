/* Forces the compiler to inline a function. For constant arguments it then compiles a copy without
 * the loops and branches that they exclude. */
#ifndef TRACETOOL_ALWAYS_INLINE_H
#define TRACETOOL_ALWAYS_INLINE_H

#define ALWAYS_INLINE static inline __attribute__((always_inline))

#endif

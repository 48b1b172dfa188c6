/* Functions of which a copy is made for every place that calls them: where arguments are constant
 * there, loops and questions about them disappear. */
#ifndef TRACETOOL_ALWAYS_INLINE_H
#define TRACETOOL_ALWAYS_INLINE_H

#define ALWAYS_INLINE static inline __attribute__((always_inline))

#endif

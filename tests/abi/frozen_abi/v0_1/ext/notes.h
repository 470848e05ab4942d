/* parallel_pool/ext/notes.h: the extension "pp.notes/1" of the host, what is to be said of a row.
 *
 * C99. A plugin finds it through host->get_extension(host, PP_EXT_NOTES); NULL: this host has none,
 * and the plugin does without. The same rules as in abi.h hold; the struct only grows at its end.
 *
 * For an episode that was cut short because something broke outside of the plugin, a process or a
 * device, and that goes on after the next reset: the row is written as always, with `truncated`,
 * and users find the text in info["error"]. What cannot be gone on with is an error (set_error).
 */
#ifndef PARALLEL_POOL_EXT_NOTES_H_
#define PARALLEL_POOL_EXT_NOTES_H_

#include "parallel_pool/abi.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PP_EXT_NOTES "pp.notes/1"

typedef struct pp_notes {
  uint32_t struct_size;
  uint32_t reserved;
  /* Of a lane of the step in progress, on the thread that the host called on. The text is copied.
   */
  void (*set_note)(const pp_host* host, uint32_t lane, const char* message); /* [worker] */
} pp_notes;

#ifdef __cplusplus
}
#endif
#endif /* PARALLEL_POOL_EXT_NOTES_H_ */

#include <stdint.h>

// record_begin has everything that SQLite does to files below a folder appended
// to a log. It returns 0, or what went wrong.
int record_begin(const char *folder, int log);

// record_mark appends a line of the caller's.
void record_mark(const void *text, int length);

// record_end ends the log.
void record_end(void);

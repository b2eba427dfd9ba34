#include "_enum.h"
unsigned long z[1] = { 0 };
unsigned long y[2][1] = { { C }, { A } };

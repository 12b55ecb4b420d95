/* Driver of b2_law.c: reads "delta force" pairs (the reference), times each routine on 10^6
   indentations and prints "name ns_per_value max_relative_error". usage: b2_main reference.txt */
#include "b2_law.c"
#include <stdio.h>
#include <stdlib.h>

typedef double (*routine)(int, const double *, double *, double, double, double *);

int main(int argc, char **argv) {
  enum { N = 1000000, REPEATS = 7 };
  static double d[N], f[N], reference[N], probe[N];
  FILE *in = argc > 1 ? fopen(argv[1], "r") : NULL;
  int m = 0;
  if (!in) return 1;
  while (m < N && fscanf(in, "%lf %lf", &probe[m], &reference[m]) == 2) m++;
  fclose(in);
  if (m == 0) return 1;
  for (int i = 0; i < N; i++) d[i] = probe[i % m] * (1.0 + 1e-7 * (i / m));
  const double piE = M_PI * 207e9 / (2 * (1 - 0.3 * 0.3)), dR = 0.25e-3;
  const struct { const char *name; routine run; } peers[] = {
      {"newton", law_newton}, {"w2", law_w}, {"w1", law_w1}};
  for (unsigned k = 0; k < sizeof peers / sizeof *peers; k++) {
    double best = 1e9, seconds, error = 0;
    for (int r = 0; r < REPEATS; r++) {
      peers[k].run(N, d, f, piE, dR, &seconds);
      if (seconds < best) best = seconds;
    }
    peers[k].run(m, probe, f, piE, dR, &seconds);
    for (int i = 0; i < m; i++) {
      double e = fabs(f[i] / reference[i] - 1);
      if (e > error) error = e;
    }
    printf("%s %.3f %.3e\n", peers[k].name, best * 1e9 / N, error);
  }
  return 0;
}

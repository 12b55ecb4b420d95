// Provenance: benchmark set B7 of the project, written for it.
#pragma once
#include "b7_chain.hpp"
struct Stats { unsigned long acc = 0, rej = 0, ev = 0, jac = 0, lu = 0, newton = 0, relo = 0, nfail = 0, switches = 0; };
struct Sampler { double dt; int k = 1; std::vector<double> out; int n; Sampler(double d, int n_) : dt(d), n(n_) {} double next() const { return dt * k; } void put(double t, const double *y) { out.push_back(t); out.insert(out.end(), y, y + n); k++; } };
inline void dump(const char *file, const Sampler &s) { FILE *f = fopen(file, "w"); for (size_t i = 0; i < s.out.size(); i += s.n + 1) { for (int j = 0; j <= s.n; j++) fprintf(f, "%.17e ", s.out[i + j]); fprintf(f, "\n"); } fclose(f); }

// The force that a plate exerts on the fixed pin in its slot (models/pin-slot; Skrinjar, Slavic and Boltezar 2017). Deterministic:
//
//   g++ -O2 -std=c++17 -ffp-contract=off -o pin_slot pin_slot.cpp && ./pin_slot 0.45 .
//
// writes, for this restitution, into this folder
//   pin_slot.csv         the force on the pin at 51.2 kHz over 60 ms, without noise
//   pin-slot-force.csv   the same with white noise of 0.5 N, then the central average of 301 samples, as the paper treats what it measured; studies/ has it
// and prints the impacts: time, speed, greatest force.
//
// Hertz's law with Lankarani and Nikravesh's damping, no friction. The plate is integrated in its three coordinates by the classical method of Runge and
// Kutta in steps of 10 ns. The slot is the line between the centres of its ends; the pin touches where it is farther from this line than the clearance.
// Beginnings and ends of contact, seams between flats and ends and the end of the push are located by bisection; the impact speed is
// kept until the pin leaves the wall.
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <random>
#include <string>
#include <vector>

using State = std::array<double, 6>;  // x, y, angle and their rates
const double MASS = 32.54e-3, INERTIA = 20.94e-6;
const double FIRST_X = -49e-3, FIRST_Y = 0.0765e-3, LENGTH = 2e-3, CLEARANCE = 0.05e-3;
// Aluminium, 69 GPa and 0.35: a sphere of 2.45 mm in one of 2.5 mm, and on a plane.
const double STIFFNESS_END = 1.834757834757832e10, STIFFNESS_FLAT = 2.594739413584824e9;
const double PUSH = 1.6, PUSH_TIME = 39.1e-3, PUSH_Y = 10e-3;
const double SPRING = 100.0, SPRING_FREE = 0.03200007315305812, SPRING_X = 20e-3, SPRING_TO = 29e-3;
const double RATE = 51.2e3, UNTIL = 60e-3;
const int PARTS = 2000;
const double PI = 3.14159265358979323846;

struct Gap { double along, overlap, nx, ny, rate; };

Gap gap(const State& y) {
    const double c = std::cos(y[2]), s = std::sin(y[2]);
    // The pin, which is at the origin, from the first end in the frame of the plate.
    const double along = -c * y[0] - s * y[1] - FIRST_X, across = s * y[0] - c * y[1] - FIRST_Y;
    const double off = along < 0.0 ? along : along > LENGTH ? along - LENGTH : 0.0;
    const double away = std::hypot(off, across);
    const double u = away > 0.0 ? off / away : 0.0, v = away > 0.0 ? across / away : 0.0;
    const double nx = c * u - s * v, ny = s * u + c * v;
    // The wall moves as the point of the plate at the pin.
    const double wx = y[3] + y[5] * y[1], wy = y[4] - y[5] * y[0];
    return {along, away - CLEARANCE, nx, ny, -(nx * wx + ny * wy)};
}

struct Machine {
    double factor, start_rate = 0.0;
    bool touches = false, pushed = true;
    double stiffness = STIFFNESS_FLAT;

    // Force of the pin on the plate, along the normal.
    double normal(const Gap& g) const {
        if (!touches) return 0.0;
        const double elastic = stiffness * std::pow(std::fmax(g.overlap, 0.0), 1.5);
        return std::fmax(elastic * (1.0 + factor * g.rate / start_rate), 0.0);
    }

    State slope(double t, const State& y) const {
        const Gap g = gap(y);
        const double n = normal(g), c = std::cos(y[2]), s = std::sin(y[2]);
        double fx = n * g.nx, fy = n * g.ny, moment = -y[0] * fy + y[1] * fx;
        if (pushed) {
            const double push = PUSH * std::sin(PI * t / PUSH_TIME);
            fx += push;
            moment -= c * PUSH_Y * push;
        }
        const double ax = c * SPRING_X, ay = s * SPRING_X;
        const double dx = SPRING_TO - y[0] - ax, dy = -y[1] - ay, length = std::hypot(dx, dy);
        const double pull = SPRING * (length - SPRING_FREE) / length;
        fx += pull * dx;
        fy += pull * dy;
        moment += pull * (ax * dy - ay * dx);
        return {y[3], y[4], y[5], fx / MASS, fy / MASS, moment / INERTIA};
    }

    State step(double t, double h, const State& y) const {
        auto moved = [&](const State& k, double d) {
            State z;
            for (int i = 0; i < 6; ++i) z[i] = y[i] + d * k[i];
            return z;
        };
        const State a = slope(t, y), b = slope(t + h / 2, moved(a, h / 2)), c = slope(t + h / 2, moved(b, h / 2)), d = slope(t + h, moved(c, h));
        State z;
        for (int i = 0; i < 6; ++i) z[i] = y[i] + h / 6 * (a[i] + 2 * b[i] + 2 * c[i] + d[i]);
        return z;
    }

    static double of_place(double along) { return along < 0.0 || along > LENGTH ? STIFFNESS_END : STIFFNESS_FLAT; }

    // Whether something happens before this state.
    bool over(const State& y) const {
        const Gap g = gap(y);
        return touches ? g.overlap < 0.0 || of_place(g.along) != stiffness : g.overlap > 0.0;
    }
};

// The central mean, of fewer samples near the ends.
std::vector<double> averaged(const std::vector<double>& signal, int window) {
    const int n = int(signal.size()), half = window / 2;
    std::vector<double> mean(n);
    for (int i = 0; i < n; ++i) {
        double sum = 0.0;
        int count = 0;
        for (int j = std::max(i - half, 0); j <= std::min(i + half, n - 1); ++j, ++count) sum += signal[j];
        mean[i] = sum / count;
    }
    return mean;
}

int main(int count, char** words) {
    if (count != 3 && count != 4) return std::puts("pin_slot RESTITUTION FOLDER [PARTS]"), 2;
    const double restitution = std::atof(words[1]);
    const std::string folder = words[2];
    const int parts = count == 4 ? std::atoi(words[3]) : PARTS;
    Machine machine{0.75 * (1.0 - restitution * restitution)};
    State y{49e-3, -0.0765e-3, 0, 0, 0, 0};
    struct Impact { double t, speed, peak; };
    std::vector<Impact> impacts;
    std::vector<double> fx, fy;
    const int samples = int(std::lround(RATE * UNTIL)) + 1;
    for (int i = 0; i < samples; ++i) {
        const Gap g = gap(y);
        // On the pin: the opposite of that on the plate.
        fx.push_back(-machine.normal(g) * g.nx);
        fy.push_back(-machine.normal(g) * g.ny);
        for (int part = 0; part < parts; ++part) {
            double t = (i + double(part) / parts) / RATE;
            const double end = (i + double(part + 1) / parts) / RATE;
            while (t < end) {
                if (machine.pushed && t >= PUSH_TIME) machine.pushed = false;
                const double to = machine.pushed && end > PUSH_TIME ? PUSH_TIME : end;
                const State next = machine.step(t, to - t, y);
                if (!machine.over(next)) {
                    y = next;
                    t = to;
                    continue;
                }
                // The shortest step after which it has happened.
                double low = 0.0, high = to - t;
                for (int k = 0; k < 60; ++k) {
                    const double middle = 0.5 * (low + high);
                    (machine.over(machine.step(t, middle, y)) ? high : low) = middle;
                }
                y = machine.step(t, high, y);
                t = t + high > t ? t + high : std::nextafter(t, 1.0);
                const Gap at = gap(y);
                if (!machine.touches) {
                    machine.touches = true;
                    machine.start_rate = at.rate;
                    machine.stiffness = Machine::of_place(at.along);
                    impacts.push_back({t, at.rate, 0.0});
                } else if (at.overlap < 0.0) {
                    machine.touches = false;
                } else {
                    machine.stiffness = Machine::of_place(at.along);
                }
            }
            if (machine.touches) impacts.back().peak = std::fmax(impacts.back().peak, machine.normal(gap(y)));
        }
    }
    for (const Impact& one : impacts) std::printf("%.10f s %.10f m/s %.7f N\n", one.t, one.speed, one.peak);
    std::printf("%zu impacts\n", impacts.size());

    // Normal numbers after Box and Muller.
    std::mt19937_64 chance(2017);
    auto uniform = [&] { return (double(chance() >> 11) + 0.5) / 9007199254740992.0; };
    auto noisy = [&](std::vector<double> signal) {
        for (double& x : signal) {
            const double radius = std::sqrt(-2.0 * std::log(uniform()));
            x += 0.5 * radius * std::cos(2.0 * PI * uniform());
        }
        return averaged(signal, 301);
    };
    const std::vector<double> mx = noisy(fx), my = noisy(fy);
    std::ofstream clean(folder + "/pin_slot.csv"), seen(folder + "/pin-slot-force.csv");
    char line[100];
    clean << "t [ms],Fx [N],Fy [N]\n";
    seen << "# Synthetic, made by golden/identification/pin_slot.cpp, a program of its own: the force on the pin of models/pin-slot with Hertz's law, the\n"
         << "# damping of Lankarani and Nikravesh and a restitution of " << words[1] << ", at 51.2 kHz with white noise of 0.5 N, then the central average of 301\n"
         << "# samples, as Skrinjar, Slavic and Boltezar (2017) treated what they measured.\n"
         << "t [ms],Fx [N],Fy [N]\n";
    for (int i = 0; i < samples; ++i) {
        std::snprintf(line, sizeof line, "%.8f,%.9g,%.9g\n", 1e3 * i / RATE, fx[i] + 0.0, fy[i] + 0.0);
        clean << line;
        std::snprintf(line, sizeof line, "%.5f,%.5f,%.5f\n", 1e3 * i / RATE, mx[i], my[i]);
        seen << line;
    }
}

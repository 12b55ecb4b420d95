// One case of cases.csv: its episodes of contact, samples of its motion and a summary, on stdout. Run by generate.sh.
#include <cstdio>
#include <fstream>
#include <iostream>
#include <memory>
#include <sstream>
#include "integrate.hpp"

static std::vector<std::string> split(const std::string& text, char at) {
    std::vector<std::string> parts;
    std::string part;
    std::istringstream in(text);
    while (std::getline(in, part, at)) parts.push_back(part);
    return parts;
}

struct Case { std::string name, model, law, sets; real until, max_step; };

static Setup setup(const Case& c) {
    Setup s;
    auto law = split(c.law, '+');
    s.elastic = law[0];
    s.damping = law.size() > 1 ? law[1] : "no-damping";
    s.friction = law.size() > 2 ? law[2] : "no-friction";
    std::map<std::string, real> own = {{"slider-crank", 0.46L}, {"pin-slot", 0.4L}, {"pin-slot-revolute", 0.4L},
        {"pin-in-bore", 0.7L}, {"pin-in-bore-fixed", 0.7L}, {"slider-crank-prismatic", 0.4L}};
    if (own.count(c.model)) s.p["restitution"] = own[c.model];
    for (const std::string& set : split(c.sets, ';')) {
        auto at = set.find('=');
        std::string key = set.substr(0, at), value = set.substr(at + 1), leaf = key.substr(key.rfind('.') + 1);
        if (leaf == "adhesive") { s.adhesive = value == "true"; continue; }
        real number = strtold(value.c_str(), nullptr);
        auto region = key.find(".laws.");
        if (region != std::string::npos) s.sections[split(key.substr(region + 6), '.')[0]][leaf] = number;
        else s.p[leaf] = number;
    }
    return s;
}

static std::unique_ptr<Mechanism> mechanism(const Case& c) {
    Setup s = setup(c);
    if (c.model == "slider-crank") return std::make_unique<SliderCrank>(s);
    if (c.model == "pin-slot") return std::make_unique<PinSlot>(s, true);
    if (c.model == "pin-slot-revolute") return std::make_unique<PinSlot>(s, false);
    if (c.model == "scotch-yoke") return std::make_unique<ScotchYoke>(s);
    if (c.model == "slider-crank-prismatic") return std::make_unique<PrismaticPlay>(s);
    return std::make_unique<PinInBore>(s, c.model == "pin-in-bore-fixed");
}

struct Result { std::vector<Episode> episodes; std::vector<std::tuple<real, std::string, real>> samples; std::string trouble; real t; long steps; };

static Result simulate(const Case& c, real tolerance, real nudge) {
    auto mech = mechanism(c);
    Run run(*mech, tolerance, nudge);
    Result result;
    std::vector<real> times;
    for (int k = 1; k <= 5; k++) times.push_back(k == 5 ? c.until : c.until * k / 5);
    run.go(c.until, c.max_step, times, [&](real at) {
        State d;
        run.derivative(run.t, run.y, d);
        for (auto& [name, value] : mech->channels(run.t, &run.y[0], &run.y[run.size], &d[run.size])) result.samples.push_back({at, name, value});
    });
    // By contact: two that start in one instant have no order in time.
    std::stable_sort(run.episodes.begin(), run.episodes.end(), [](const Episode& a, const Episode& b) { return a.contact < b.contact; });
    result.episodes = run.episodes; result.trouble = run.trouble; result.t = run.t; result.steps = run.steps;
    return result;
}

static real apart(real a, real b) { return fabsl(a - b) / std::max(fabsl(a), 1e-30L); }

static std::string text(real x, bool known = true) {
    char digits[40];
    snprintf(digits, sizeof digits, "%.15Le", x);
    return known ? digits : "";
}

int main(int argc, char** argv) {
    if (argc != 2) return fprintf(stderr, "reference CASE\n"), 2;
    std::ifstream in("cases.csv");
    std::string line;
    while (std::getline(in, line)) {
        auto f = split(line, ',');
        if (f[0] != argv[1]) continue;
        Case c{f[0], f[1], f[2], f[3], strtold(f[4].c_str(), nullptr), strtold(f[5].c_str(), nullptr)};
        // How far a start that differs by 1e-13 and a looser tolerance lead away.
        Result a = simulate(c, 2e-15L, 0), b = simulate(c, 2e-14L, 1e-13L);
        const char* name = c.name.c_str();
        fprintf(stderr, "%-40s %3zu episodes, %ld steps to %.4Lg s %s\n", name, a.episodes.size(), a.steps, a.t, a.trouble.c_str());
        if (!a.trouble.empty()) return 1;
        real worst = 0, contact = 0;
        for (size_t k = 0; k < a.episodes.size(); k++) {
            const Episode& e = a.episodes[k];
            bool done = e.end >= 0;
            real spread = 1;
            if (k < b.episodes.size()) {
                const Episode& o = b.episodes[k];
                real lost = 0.1L * e.impulse * e.speed; // losses near 0 count relative to this
                spread = std::max({apart(e.speed, o.speed), apart(e.start, o.start), apart(e.peak, o.peak), apart(e.impulse, o.impulse),
                                   done ? apart(e.end, o.end) : 0, done ? apart(e.restitution, o.restitution) : 0, apart(e.depth, o.depth),
                                   fabsl(e.sliding - o.sliding) / std::max(e.sliding, lost),
                                   done ? fabsl(e.normal + e.seam - o.normal - o.seam) / std::max(e.normal + e.seam, lost) : 0});
            }
            worst = std::max(worst, spread);
            contact += (done ? e.end : c.until) - e.start;
            printf("episode,%s,%s,%s,%s,%s,%s,%s,%s,%s,%s,%s,%s,%.0Le\n", name, e.region.c_str(), text(e.start).c_str(), text(e.end, done).c_str(),
                   text(e.speed).c_str(), text(e.depth).c_str(), text(e.peak).c_str(), text(e.impulse).c_str(), text(e.restitution, done).c_str(),
                   text(e.normal + e.seam, done).c_str(), text(e.sliding).c_str(), text(e.seam).c_str(), spread);
        }
        for (size_t k = 0; k < a.samples.size(); k++) {
            auto& [at, channel, value] = a.samples[k];
            real spread = k < b.samples.size() ? fabsl(value - std::get<2>(b.samples[k])) : 1.0L;
            printf("sample,%s,%.17Lg,%s,%s,%.0Le\n", name, at, channel.c_str(), text(value).c_str(), spread);
        }
        if (a.episodes.size() != b.episodes.size()) worst = 1;
        printf("summary,%s,%zu,%s,%.0Le\n", name, a.episodes.size(), text(contact).c_str(), worst);
        return 0;
    }
    return fprintf(stderr, "no such case\n"), 2;
}

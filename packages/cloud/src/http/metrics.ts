// Counts what is served, and says it as Prometheus text (exposition format 0.0.4).
import process from 'node:process';

export interface Metrics {
  /** one finished request; seconds */
  served(route: string, method: string, status: number, seconds: number): void;
  /** one that began, or ended */
  underWay(change: 1 | -1): void;
  text(): string;
}

const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

interface Series {
  readonly buckets: number[];
  sum: number;
  count: number;
}

/** `build` is written as `hanzo_build_info`. */
export function createMetrics(
  build: { readonly version: string },
  memory = (): number => process.memoryUsage().rss,
): Metrics {
  const counts = new Map<string, number>();
  const times = new Map<string, Series>();
  let current = 0;
  return {
    served(route, method, status, seconds) {
      const labels = `route="${route}",method="${method}"`;
      const key = `${labels},status="${status}"`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
      const series = times.get(labels) ?? { buckets: BUCKETS.map(() => 0), sum: 0, count: 0 };
      times.set(labels, series);
      series.sum += seconds;
      series.count += 1;
      const at = BUCKETS.findIndex((bound) => seconds <= bound);
      if (at >= 0) series.buckets[at] = (series.buckets[at] as number) + 1;
    },
    underWay: (change) => void (current += change),
    text() {
      const lines = [
        '# TYPE hanzo_build_info gauge',
        `hanzo_build_info{version="${build.version}"} 1`,
        '# TYPE hanzo_http_requests_in_flight gauge',
        `hanzo_http_requests_in_flight ${current}`,
        '# TYPE process_resident_memory_bytes gauge',
        `process_resident_memory_bytes ${memory()}`,
        '# TYPE hanzo_http_requests_total counter',
        ...[...counts].sort().map(([labels, count]) => `hanzo_http_requests_total{${labels}} ${count}`),
        '# TYPE hanzo_http_request_seconds histogram',
      ];
      for (const [labels, { buckets, sum, count }] of [...times].sort(([a], [b]) => (a < b ? -1 : 1))) {
        let below = 0;
        for (const [at, bound] of BUCKETS.entries()) {
          below += buckets[at] as number;
          lines.push(`hanzo_http_request_seconds_bucket{${labels},le="${bound}"} ${below}`);
        }
        lines.push(
          `hanzo_http_request_seconds_bucket{${labels},le="+Inf"} ${count}`,
          `hanzo_http_request_seconds_sum{${labels}} ${sum}`,
          `hanzo_http_request_seconds_count{${labels}} ${count}`,
        );
      }
      return `${lines.join('\n')}\n`;
    },
  };
}

import { type Attributes, type HrTime, ValueType } from '@opentelemetry/api';
import { AggregationTemporality, DataPointType, type MetricData } from '@opentelemetry/sdk-metrics';

const timeOf = (ms: number): HrTime => [Math.floor(ms / 1_000), Math.floor((ms % 1_000) * 1e6)];

/** What gauges and counters have in common. An unknown value gets no sample, because 0 would be a claim. */
function metric(name: string, description: string, values: readonly (readonly [Attributes, number | undefined])[]) {
  const times = { startTime: timeOf(performance.timeOrigin), endTime: timeOf(Date.now()) };
  return {
    descriptor: { name, description, unit: '', valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
    dataPoints: values.flatMap(([attributes, value]) => (value === undefined ? [] : [{ attributes, ...times, value }])),
  };
}

/** A gauge with one value. */
export const gauge = (name: string, help: string, value: number | undefined, labels: Attributes = {}): MetricData => ({
  ...metric(name, help, [[labels, value]]),
  dataPointType: DataPointType.GAUGE,
});

/** A gauge with one label, of a closed list of values. */
export const labelled = <Value extends string>(
  name: string,
  help: string,
  [label, values]: readonly [string, readonly Value[]],
  of: (value: Value) => number | undefined,
): MetricData => ({
  ...metric(
    name,
    help,
    values.map((value) => [{ [label]: value }, of(value)]),
  ),
  dataPointType: DataPointType.GAUGE,
});

/** What has only grown since the process began. */
export const counter = (name: string, help: string, value: number): MetricData => ({
  ...metric(name, help, [[{}, value]]),
  dataPointType: DataPointType.SUM,
  isMonotonic: true,
});

import { UserError } from '../lib/errors.ts'
import { type Span, type SpanSink, setSpanSink } from '../lib/spans.ts'

/** The packages that traces need. They are larger than the rest of the program, so they are installed by whoever wants traces. */
const PACKAGES = [
  '@opentelemetry/api@1',
  '@opentelemetry/sdk-trace-base@2',
  '@opentelemetry/resources@2',
  '@opentelemetry/exporter-trace-otlp-http@0.215',
]

/** Traces that are being sent. */
export interface Tracing extends SpanSink {
  /** Sends what is left, for at most some seconds. */
  close(): Promise<void>
}

/**
 * Loads OpenTelemetry and sends spans to a collector (OTLP over HTTP, as JSON) in the background. A collector that does not
 * answer loses spans and nothing else.
 * @param collector its base address, without `/v1/traces`
 */
export async function openTracing(collector: string, version: string): Promise<Tracing> {
  const [api, sdk, resources, otlp] = await loadPackages()
  const exporter = new otlp.OTLPTraceExporter({
    url: `${collector.replace(/\/$/, '')}/v1/traces`,
    timeoutMillis: 5_000,
  })
  const provider = new sdk.BasicTracerProvider({
    resource: resources.resourceFromAttributes({ 'service.name': 'marquee', 'service.version': version }),
    spanProcessors: [new sdk.BatchSpanProcessor(exporter)],
  })
  const tracer = provider.getTracer('marquee', version)
  const contexts = new WeakMap<Span, ReturnType<typeof api.trace.setSpan>>()
  return {
    start(name, kind, startMs, parent) {
      const context = (parent && contexts.get(parent)) ?? api.ROOT_CONTEXT
      const spanKind = kind === 'server' ? api.SpanKind.SERVER : api.SpanKind.INTERNAL
      const started = tracer.startSpan(name, { kind: spanKind, startTime: startMs }, context)
      const span: Span = {
        end(endMs, attributes, isFailed) {
          started.setAttributes(attributes)
          if (isFailed) started.setStatus({ code: api.SpanStatusCode.ERROR })
          started.end(endMs)
        },
      }
      contexts.set(span, api.trace.setSpan(context, started))
      return span
    },
    close: () => provider.shutdown().catch(() => undefined),
  }
}

/** Opens the traces of a command, if an address is set; returns what ends them. */
export async function traceCommand(collector: string | undefined, version: string): Promise<() => Promise<void>> {
  if (collector === undefined) return async () => {}
  const tracing = await openTracing(collector, version)
  setSpanSink(tracing)
  return () => tracing.close()
}

async function loadPackages() {
  try {
    return await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/sdk-trace-base'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/exporter-trace-otlp-http'),
    ])
  } catch (error) {
    if (Object(error).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new UserError(
      `OTEL_EXPORTER_OTLP_ENDPOINT is set, but the packages for traces are not installed; run \`npm install ${PACKAGES.join(' ')}\` beside marquee`,
    )
  }
}

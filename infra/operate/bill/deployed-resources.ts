import { App } from 'aws-cdk-lib'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { metricUnits } from '#shared/metrics.ts'
import { readConfig } from '../../aws/config.ts'
import { addStacks } from '../../aws/stacks.ts'
import { contextNode, type Context } from '../cdk-context.ts'

/** What of a deployment costs something by merely being there, and what decides on the price of the rest. */
export interface DeployedResources {
  readonly secrets: number
  readonly keys: number
  /** an alarm over an expression watches several metrics, and each is paid for */
  readonly alarms: number
  readonly dashboards: number
  /** of the product's own, each paid for in the hours in which it is sent */
  readonly metrics: number
  readonly webAcls: number
  readonly webRules: number
  readonly logRetentionDays: number
  /** where what people type is kept */
  readonly vault: 'secrets' | 'table'
  /** whether every call leaves a trace */
  readonly tracing: boolean
  /** whether e-mails go out through SES */
  readonly ses: boolean
  /** of each function, by the id its construct has */
  readonly memoryMb: Readonly<Record<string, number>>
}

interface Resource {
  readonly Type: string
  readonly Properties?: Readonly<Record<string, unknown>>
}

/**
 * Synthesises the stacks of a context, without bundling, and counts in their templates. So what is added to the stacks is in the
 * bill without anybody thinking of it.
 * @throws SetupError when the context is wrong
 */
export function countResources(context: Context): DeployedResources {
  const config = readConfig(contextNode(context))
  const folder = mkdtempSync(join(tmpdir(), 'juno-cost-'))
  try {
    // what the page is made of changes no price
    const siteFolder = join(folder, 'site')
    mkdirSync(siteFolder)
    writeFileSync(join(siteFolder, 'index.html'), '')
    const app = new App({
      context: { ...context, 'aws:cdk:bundling-stacks': [] },
      outdir: join(folder, 'cdk.out'),
    })
    addStacks(app, { siteFolder })
    const resources = app
      .synth()
      .stacks.flatMap(({ template }) =>
        Object.entries((template as { Resources?: Record<string, Resource> }).Resources ?? {}),
      )
    const byType = (type: string) => resources.filter(([, { Type }]) => Type === type)
    const named = [
      config.modelKeySecretName,
      config.google?.secretName,
      config.githubTokenSecretName,
      config.providerAppsSecretName,
    ].filter((name) => name !== undefined)
    const functions = byType('AWS::Lambda::Function')
    return {
      secrets: byType('AWS::SecretsManager::Secret').length + named.length,
      keys: byType('AWS::KMS::Key').length,
      alarms: sum(byType('AWS::CloudWatch::Alarm'), countMetrics),
      dashboards: byType('AWS::CloudWatch::Dashboard').length,
      metrics: config.monitoring ? Object.keys(metricUnits).length : 0,
      webAcls: byType('AWS::WAFv2::WebACL').length,
      webRules: sum(byType('AWS::WAFv2::WebACL'), ({ Properties }) => getLength(Properties?.['Rules'])),
      logRetentionDays: config.logRetentionDays,
      vault: config.vault,
      tracing: functions.some(
        ([, { Properties }]) => getTracingMode(Properties?.['TracingConfig']) === 'Active',
      ),
      ses: config.ses !== undefined,
      memoryMb: Object.fromEntries(
        functions.map(([id, { Properties }]) => [
          id.replace(/[0-9A-F]{8}$/, ''),
          Number(Properties?.['MemorySize'] ?? 128),
        ]),
      ),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const sum = (resources: readonly (readonly [string, Resource])[], count: (resource: Resource) => number) =>
  resources.reduce((total, [, resource]) => total + count(resource), 0)

const getLength = (value: unknown) => (Array.isArray(value) ? value.length : 0)

const getTracingMode = (tracing: unknown) => (tracing as { Mode?: string } | undefined)?.Mode

function countMetrics({ Properties }: Resource): number {
  const metrics = Properties?.['Metrics']
  if (!Array.isArray(metrics)) return 1
  return metrics.filter((metric: object) => 'MetricStat' in metric).length
}

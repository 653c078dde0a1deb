import { App } from 'aws-cdk-lib'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { metricUnits } from '#shared/metrics.ts'
import { readConfig } from '../../aws/config.ts'
import { listNamedSecrets } from '../../aws/named-secrets.ts'
import { addStacks } from '../../aws/stacks.ts'
import { contextNode, type Context } from '../stage.ts'

/** The resources of a deployment that cost money even when idle, and the settings that affect the price of usage. */
export interface DeployedResources {
  readonly secrets: number
  readonly keys: number
  /** alarm metrics: an alarm over an expression is billed for each of its metrics */
  readonly alarms: number
  readonly dashboards: number
  /** custom metrics, billed by the hours in which they are sent */
  readonly metrics: number
  readonly webAcls: number
  readonly webRules: number
  readonly logRetentionDays: number
  /** where credentials of integrations are stored */
  readonly vault: 'secrets' | 'table'
  /** whether every call leaves a trace */
  readonly tracing: boolean
  /** whether users sign in with an OIDC or SAML provider, which has a price of its own */
  readonly federation: boolean
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
 * Synthesises the stacks of a context, without bundling, and counts the resources in their templates, so that new resources are in the
 * bill automatically.
 * @throws OperatorError when the context is wrong
 */
export function countResources(context: Context): DeployedResources {
  const config = readConfig(contextNode(context))
  const folder = mkdtempSync(join(tmpdir(), 'juno-cost-'))
  try {
    // the content of the page does not affect the price
    const siteFolder = join(folder, 'site')
    mkdirSync(siteFolder)
    writeFileSync(join(siteFolder, 'index.html'), '')
    const app = new App({
      context: { ...context, 'aws:cdk:bundling-stacks': [] },
      outdir: join(folder, 'cdk.out'),
      // takes seconds, and `cdk deploy` does it
      builtinCloudFormationValidation: false,
      // nor does the bill need these
      treeMetadata: false,
      stackTraces: false,
    })
    addStacks(app, { siteFolder })
    const resources = app
      .synth()
      .stacks.flatMap(({ template }) =>
        Object.entries((template as { Resources?: Record<string, Resource> }).Resources ?? {}),
      )
    const byType = (type: string) => resources.filter(([, { Type }]) => Type === type)
    const functions = byType('AWS::Lambda::Function')
    return {
      secrets: byType('AWS::SecretsManager::Secret').length + listNamedSecrets(config).length,
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
      federation: config.identityProviders.length > 0,
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

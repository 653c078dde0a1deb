import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { parseArgs, promisify } from 'node:util'
import { fileURLToPath } from 'node:url'
import { format } from 'oxfmt'
import { describe, expect, it } from 'vitest'
import { formatBillAsMarkdown } from '../../infra/operate/cost/bill-text.ts'
import { formatScaleAsMarkdown } from '../../infra/operate/cost/scale.ts'
import { loadContext } from '../../infra/operate/stage.ts'
import { countResources } from '../../infra/operate/cost/deployed-resources.ts'
import { parseUsage, usageOptions } from '../../infra/operate/cost/usage.ts'
import { childEnvironment } from '../support/child-environment.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const page = `${root}/docs/operations.md`

const runCost = (...args: string[]) =>
  promisify(execFile)(process.execPath, ['infra/operate/cost.ts', ...args], {
    cwd: root,
    env: childEnvironment,
  }).then(
    ({ stdout }) => ({ code: 0, output: stdout }),
    ({ code, stderr }: { code: number; stderr: string }) => ({ code, output: stderr }),
  )

describe('npm run cost', () => {
  const defaultResources = countResources(loadContext([]))

  it('the table in docs/operations.md is the computed one: npm run cost -- --markdown', async () => {
    const usage = parseUsage(parseArgs({ args: [], options: usageOptions }).values)
    const computedTable = await format(
      page,
      `${formatBillAsMarkdown(usage, defaultResources)}\n\n${formatScaleAsMarkdown()}`,
    )
    const documentedTable = /<!-- cost -->\s*([\s\S]*?)\s*<!-- end cost -->/.exec(
      await readFile(page, 'utf8'),
    )?.[1]
    expect(documentedTable).toBe(computedTable.code.trim())
    expect(documentedTable).not.toContain('MISSED')
  })

  it('counts idle resources in the configuration’s templates', () => {
    expect(defaultResources).toMatchObject({ secrets: 2, webAcls: 0, ses: false, logRetentionDays: 30 })
    expect(defaultResources.alarms).toBeGreaterThan(0)
    expect(defaultResources.memoryMb).toMatchObject({ Chat: 512, DocumentParser: 2_048, RegistrySync: 512 })
    const withMoreSecrets = countResources(
      loadContext([
        'googleClientId=id',
        'googleSecretName=team/google',
        'providerAppsSecretName=team/apps',
        'sesSender=hello@example.org',
        'logRetentionDays=7',
      ]),
    )
    expect(withMoreSecrets).toMatchObject({ secrets: 4, ses: true, logRetentionDays: 7 })
    const withTableVault = countResources(loadContext(['vault=table', 'modelKeySecretName=team/model']))
    expect([
      defaultResources.vault,
      defaultResources.keys,
      withTableVault.vault,
      withTableVault.keys,
    ]).toEqual(['secrets', 0, 'table', 1])
    // the product does not create its own secret for the model's key then
    expect(withTableVault.secrets).toBe(2)
  })

  it('prints the bill, with a WAF if one is configured', async () => {
    const { code, output } = await runCost('--users', '1', '--turns', '100', '--waf')
    expect(code).toBe(0)
    expect(output).toMatch(/^ {2}WAF +rules +4 /m)
    expect(output).toMatch(/^ {2}total +\d+\.\d\d$/m)
  })

  it.each([
    [['--users', 'x'], '--users x must be a number, 0 or more.'],
    [['--bill'], "Unknown option '--bill'"],
    [['-c', 'stage'], '-c stage must have the form key=value.'],
    [['-c', 'stage=Live'], 'Context stage must be 2 to 16 lower case letters'],
  ])('refuses %j with an explanation and exit code 2', async (args, message) => {
    const { code, output } = await runCost(...args)
    expect(code).toBe(2)
    expect(output).toContain(message)
    expect(output).not.toContain('    at ')
  })
})

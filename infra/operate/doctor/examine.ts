import { checkSiteBuild } from '../../aws/site-build.ts'
import type { Context } from '../stage.ts'
import {
  checkAlarms,
  checkBootstrap,
  checkCloudFront,
  checkConcurrency,
  checkDomain,
  checkMail,
  checkSecrets,
  checkUsers,
} from './account.ts'
import { formatFinding, explainFailure, type Finding } from './finding.ts'
import { checkIdentityProviders } from './identity-providers.ts'
import { checkIdentity, checkRegion, resolveRegion } from './identity.ts'
import { checkConfig, checkNode, checkSite } from './local.ts'
import { checkModelDates } from './models.ts'
import { checkModelCalls } from './model-calls.ts'
import { checkRowFormat } from './row-format.ts'
import {
  checkChanges,
  checkLeftovers,
  checkNames,
  checkProviderChanges,
  checkSettings,
  checkStacks,
  type DoctorInput,
  fetchStacks,
} from './stacks.ts'
import { checkAdministrators, checkGroups } from './users.ts'

/** The checks that need a known account and region. */
const accountChecks: readonly (readonly [
  name: string,
  check: (target: DoctorInput) => Promise<Finding[] | Finding | undefined>,
])[] = [
  ['Bootstrap', checkBootstrap],
  ['Stacks', checkStacks],
  ['Names', checkNames],
  ['Leftovers', checkLeftovers],
  ['Settings', checkSettings],
  ['Changes', checkChanges],
  ['Rows', checkRowFormat],
  ['Secrets', checkSecrets],
  ['Models', checkModelCalls],
  ['Model dates', checkModelDates],
  ['E-mail', checkMail],
  ['Address', checkDomain],
  ['Identity providers', checkIdentityProviders],
  ['Changes of providers', checkProviderChanges],
  ['Administrators', checkAdministrators],
  ['Groups', checkGroups],
  ['Concurrency', checkConcurrency],
  ['People', checkUsers],
  ['CloudFront', checkCloudFront],
  ['Alarms', checkAlarms],
]

export interface Examination {
  readonly warnings: number
  readonly problems: number
  /** where to deploy; undefined when the configuration, region or account is unknown */
  readonly target: DoctorInput | undefined
}

/**
 * Checks everything that a deployment needs, changes nothing, and prints a finding for each check. Independent checks run in parallel;
 * their findings are printed in order.
 * @param includeSite also checks that the site is built
 * @param users how many people it should be enough for; undefined: setting `users`
 */
export async function examine(
  context: Context,
  {
    print,
    includeSite,
    users,
  }: { print: (text: string) => void; includeSite: boolean; users?: number | undefined },
): Promise<Examination> {
  const count = { ok: 0, warning: 0, problem: 0 }
  const printFindings = (name: string, found: readonly Finding[] | Finding | undefined) => {
    for (const finding of [found ?? []].flat()) {
      count[finding.level] += 1
      print(formatFinding(name, finding))
    }
  }

  const { config, finding } = checkConfig(context)
  const region = await resolveRegion()
  // identifying the credentials needs no region
  const identity = checkIdentity(region ?? 'us-east-1')
  const site = includeSite ? [checkSite(await checkSiteBuild())] : []
  printFindings('Node', checkNode())
  printFindings('Configuration', finding)
  printFindings('Site', site)
  printFindings('Region', checkRegion(region))
  const { account, finding: identityFinding } = await identity
  printFindings('Credentials', identityFinding)

  if (config === undefined || region === undefined || account === undefined) {
    print(`\nNot checked until that is fixed: ${accountChecks.map(([name]) => name).join(', ')}.\n`)
    return { warnings: count.warning, problems: count.problem, target: undefined }
  }
  const target = { config, region, account, stacks: fetchStacks(config, region), users }
  const findings = accountChecks.map(
    async ([name, check]) => [name, await check(target).catch(explainFailure)] as const,
  )
  for (const found of findings) printFindings(...(await found))
  return { warnings: count.warning, problems: count.problem, target }
}

/** The last line: the number of problems and warnings. */
export function formatVerdict({ warnings, problems }: Pick<Examination, 'warnings' | 'problems'>): string {
  const formatCount = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`
  if (problems > 0)
    return `${formatCount(problems, 'problem')}, ${formatCount(warnings, 'warning')}. Nothing was changed; fix what is marked and run this again.`
  return warnings > 0 ? `No problem, ${formatCount(warnings, 'warning')}.` : 'Everything is ready.'
}

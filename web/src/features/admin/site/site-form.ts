import { t } from '@lingui/core/macro'
import type { AdminSite, SiteChange } from '#shared/contracts/site.ts'
import { domainPattern } from '#shared/domain-pattern.ts'
import { toLocalTime } from '../../../lib/text/dates.ts'
import { formatList } from '../../../lib/text/locale.ts'
import { formatNumberInput, parseNumberInput } from '../../../lib/text/number-input.ts'
import { describeNumberProblem, type NumberRule } from '../describe-number-problem.ts'
import { maxAmount, maxCostUsd } from '../service-limits.ts'

/** The settings of the site as text, while they are edited. An empty text stands for the value of the deployment. */
export interface SiteForm {
  /** `open`, `closed` or `domains`; the domains are a field of their own */
  signUp: string
  domains: string
  defaultGroup: string
  defaultModel: string
  tokensPerDay: string
  siteTokensPerDay: string
  siteCostPerDay: string
  instructions: string
  /** `on`, `ask` or `off` */
  webPages: string
  notice: string
  noticeKind: string
  /** as `datetime-local` has it */
  noticeUntil: string
}
export type SiteField = keyof SiteForm

/** The labels of the fields, by which changes are listed, too. */
export const fieldNames: Readonly<Record<SiteField, string>> = {
  signUp: t`Sign-up`,
  domains: t`E-mail domains`,
  defaultGroup: t`Default group`,
  defaultModel: t`Default model`,
  tokensPerDay: t`Each person, per day`,
  siteTokensPerDay: t`All together, per day`,
  siteCostPerDay: t`Cost of all together, per day`,
  instructions: t`House instructions`,
  webPages: t`Pages of the web`,
  notice: t`Notice`,
  noticeKind: t`Kind of the notice`,
  noticeUntil: t`Until`,
}

/** Describes who may sign up. @param value as the variable SIGN_UP has it: `open`, `closed`, or domains with commas between them; null if it is not set */
export function describeSignUp(value: string | null): string {
  if (value === null || value === 'open') return t`open to everybody`
  if (value === 'closed') return t`by invitation`
  return t`addresses at ${{ domains: formatList(value.split(',')) }}`
}

/** Describes which pages of the web replies may read. */
export const webPagesTexts = {
  on: t`those that people type or a search finds, others when approved`,
  ask: t`each when it is approved`,
  off: t`none`,
} as const

/** The fields that are numbers. None takes 0: what stops all replies has a button of its own. */
const numberRules = {
  tokensPerDay: { hasDecimals: false, smallest: 1, largest: maxAmount },
  siteTokensPerDay: { hasDecimals: false, smallest: 1, largest: maxAmount },
  siteCostPerDay: { hasDecimals: true, smallest: 0.01, largest: maxCostUsd },
} satisfies Partial<Record<SiteField, NumberRule>>
type NumberField = keyof typeof numberRules
const numberFields = Object.keys(numberRules) as NumberField[]

/** The values of the setting that the field `signUp` has, too; the empty one is that of the deployment. Others are lists of domains. */
const signUpModes: readonly string[] = ['', 'open', 'closed']

/** Converts the settings of the site to text. */
export function toSiteForm({ settings }: AdminSite): SiteForm {
  const signUp = settings.signUp.value ?? ''
  const isMode = signUpModes.includes(signUp)
  const toText = (name: NumberField) => {
    const { value } = settings[name]
    return value === null ? '' : formatNumberInput(value)
  }
  const notice = settings.notice.value
  return {
    signUp: isMode ? signUp : 'domains',
    domains: isMode ? '' : signUp,
    defaultGroup: settings.defaultGroup.value ?? '',
    defaultModel: settings.defaultModel.value ?? '',
    tokensPerDay: toText('tokensPerDay'),
    siteTokensPerDay: toText('siteTokensPerDay'),
    siteCostPerDay: toText('siteCostPerDay'),
    instructions: settings.instructions.value ?? '',
    webPages: settings.webPages.value ?? '',
    notice: notice?.text ?? '',
    noticeKind: notice?.kind ?? 'info',
    noticeUntil: notice?.until === undefined ? '' : toLocalTime(notice.until),
  }
}

/** What is wrong with a list of domains, by the rules of the service (`signUpPolicy`). @returns undefined if it can be saved */
function describeDomainsProblem(list: string): string | undefined {
  const words = list
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean)
  if (words.length === 0) return t`Please enter a domain, such as example.com.`
  const wrongWord = words.find((word) => !isDomain(word))
  return wrongWord === undefined
    ? undefined
    : t`“${{ word: wrongWord }}” is no domain. Please enter some, such as example.com, with commas between them.`
}

function isDomain(word: string): boolean {
  // other characters, such as those of a path or a port, would become another part of the URL below
  if (!/^[\p{L}\p{M}\p{N}.-]+$/u.test(word) || !URL.canParse(`http://${word}`)) return false
  return domainPattern.test(new URL(`http://${word}`).hostname)
}

/**
 * What is wrong with a form, by field.
 * @param changed the fields that differ from what is stored: a notice whose time is over may stay
 */
export function findSiteProblems(
  form: SiteForm,
  changed: readonly SiteField[],
): Partial<Record<SiteField, string>> {
  const problems: Partial<Record<SiteField, string>> = {}
  const domainsProblem = form.signUp === 'domains' ? describeDomainsProblem(form.domains) : undefined
  if (domainsProblem !== undefined) problems.domains = domainsProblem
  if (
    form.notice.trim() !== '' &&
    (changed.includes('noticeUntil') || changed.includes('notice')) &&
    new Date(form.noticeUntil).getTime() <= Date.now()
  )
    problems.noticeUntil = t`This time is over.`
  for (const name of numberFields) {
    const problem = describeNumberProblem(form[name], numberRules[name])
    if (problem !== undefined) problems[name] = problem
  }
  return problems
}

/** The change that makes the settings those of a form without problems. @param changed the fields that differ */
export function toSiteChange(form: SiteForm, changed: readonly SiteField[]): SiteChange {
  const isChanged = (...fields: SiteField[]) => fields.some((field) => changed.includes(field))
  const toSetting = (value: string) => (value.trim() === '' ? null : value.trim())
  const toNumber = (name: NumberField) => parseNumberInput(form[name], numberRules[name]) ?? null
  return {
    ...(isChanged('signUp', 'domains') && {
      signUp: toSetting(form.signUp === 'domains' ? form.domains : form.signUp),
    }),
    ...(isChanged('defaultGroup') && { defaultGroup: toSetting(form.defaultGroup) }),
    ...(isChanged('defaultModel') && { defaultModel: toSetting(form.defaultModel) }),
    ...(isChanged('tokensPerDay') && { tokensPerDay: toNumber('tokensPerDay') }),
    ...(isChanged('siteTokensPerDay') && { siteTokensPerDay: toNumber('siteTokensPerDay') }),
    ...(isChanged('siteCostPerDay') && { siteCostPerDay: toNumber('siteCostPerDay') }),
    ...(isChanged('webPages') && { webPages: toSetting(form.webPages) as SiteChange['webPages'] }),
    ...(isChanged('instructions') && { instructions: toSetting(form.instructions) }),
    ...(isChanged('notice', 'noticeKind', 'noticeUntil') && { notice: toNotice(form) }),
  }
}

function toNotice({ notice, noticeKind, noticeUntil }: SiteForm): SiteChange['notice'] {
  const text = notice.trim()
  if (text === '') return null
  const until = new Date(noticeUntil)
  return {
    text,
    kind: noticeKind === 'warning' ? 'warning' : 'info',
    ...(!Number.isNaN(until.getTime()) && { until: until.toISOString() }),
  }
}

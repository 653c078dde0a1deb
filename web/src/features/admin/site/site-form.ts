import { t } from '@lingui/core/macro'
import type { AdminSite, SiteChange } from '#shared/contracts/site.ts'
import { domainPattern } from '#shared/domain-pattern.ts'
import { formatList } from '../../../lib/locale.ts'
import { toLocalTime } from '../../../lib/local-time.ts'
import { formatNumberInput, parseNumberInput } from '../../../lib/number-input.ts'
import { describeNumberProblem } from '../describe-number-problem.ts'

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
  notice: string
  noticeKind: string
  /** as `datetime-local` has it */
  noticeUntil: string
}
/** The name of a field of the form. */
export type SiteField = keyof SiteForm

/** The names of the fields where changes are listed. */
export const fieldNames: Readonly<Record<SiteField, string>> = {
  signUp: t`Sign-up`,
  domains: t`E-mail domains`,
  defaultGroup: t`Default group`,
  defaultModel: t`Default model`,
  tokensPerDay: t`Each person, per day`,
  siteTokensPerDay: t`All together, per day`,
  siteCostPerDay: t`Cost of all together, per day`,
  instructions: t`House instructions`,
  notice: t`Notice`,
  noticeKind: t`Kind of the notice`,
  noticeUntil: t`Until`,
}

/** Describes who may sign up. @param value as the variable SIGN_UP has it: `open`, `closed`, or domains with commas between them */
export const describeSignUp = (value: string | null): string =>
  value === null || value === 'open'
    ? t`open to everybody`
    : value === 'closed'
      ? t`by invitation`
      : t`addresses at ${{ domains: formatList(value.split(',')) }}`

const signUpModes: readonly string[] = ['', 'open', 'closed']

/** Converts the settings of the site to text. */
export function toSiteForm({ settings }: AdminSite): SiteForm {
  const signUp = settings.signUp.value ?? ''
  const isMode = signUpModes.includes(signUp)
  const toText = (name: 'tokensPerDay' | 'siteTokensPerDay' | 'siteCostPerDay') => {
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
    notice: notice?.text ?? '',
    noticeKind: notice?.kind ?? 'info',
    noticeUntil: notice?.until === undefined ? '' : toLocalTime(notice.until),
  }
}

/** The first word of a list that is no domain, as the service reads them. */
function findWrongDomain(list: string): string | undefined {
  const words = list.split(',').map((word) => word.trim())
  return words.find((word) => word !== '' && !isDomain(word))
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
  now = Date.now(),
): Partial<Record<SiteField, string>> {
  const problems: Partial<Record<SiteField, string>> = {}
  const wrongDomain = findWrongDomain(form.domains)
  if (form.signUp === 'domains' && form.domains.trim() === '')
    problems.domains = t`Please enter a domain, such as example.com.`
  else if (form.signUp === 'domains' && wrongDomain !== undefined)
    problems.domains = t`“${{ word: wrongDomain }}” is no domain. Please enter some, such as example.com, with commas between them.`
  if (
    form.notice.trim() !== '' &&
    (changed.includes('noticeUntil') || changed.includes('notice')) &&
    new Date(form.noticeUntil).getTime() <= now
  )
    problems.noticeUntil = t`This time is over.`
  for (const name of ['tokensPerDay', 'siteTokensPerDay', 'siteCostPerDay'] as const) {
    const hasDecimals = name === 'siteCostPerDay'
    const value = parseNumberInput(form[name], { hasDecimals })
    const largest = hasDecimals ? 1e9 : 1e12
    if (value !== undefined && !(value >= (hasDecimals ? 0.01 : 1) && value <= largest))
      problems[name] = describeNumberProblem(form[name], { hasDecimals, largest })
  }
  return problems
}

/** The change that makes the settings those of a form without problems. @param changed the fields that differ */
export function toSiteChange(form: SiteForm, changed: readonly SiteField[]): SiteChange {
  const has = (...fields: SiteField[]) => fields.some((field) => changed.includes(field))
  const text = (value: string) => (value.trim() === '' ? null : value.trim())
  const until = new Date(form.noticeUntil)
  return {
    ...(has('signUp', 'domains') && {
      signUp: text(form.signUp === 'domains' ? form.domains : form.signUp),
    }),
    ...(has('defaultGroup') && { defaultGroup: text(form.defaultGroup) }),
    ...(has('defaultModel') && { defaultModel: text(form.defaultModel) }),
    ...(has('tokensPerDay') && { tokensPerDay: parseNumberInput(form.tokensPerDay) ?? null }),
    ...(has('siteTokensPerDay') && {
      siteTokensPerDay: parseNumberInput(form.siteTokensPerDay) ?? null,
    }),
    ...(has('siteCostPerDay') && {
      siteCostPerDay: parseNumberInput(form.siteCostPerDay, { hasDecimals: true }) ?? null,
    }),
    ...(has('instructions') && { instructions: text(form.instructions) }),
    ...(has('notice', 'noticeKind', 'noticeUntil') && {
      notice:
        form.notice.trim() === ''
          ? null
          : {
              text: form.notice.trim(),
              kind: form.noticeKind === 'warning' ? ('warning' as const) : ('info' as const),
              ...(!Number.isNaN(until.getTime()) && { until: until.toISOString() }),
            },
    }),
  }
}

import type { Rule } from '#shared/contracts/schedules.ts'
import { locale } from './locale.ts'

/** A day of the week as rules of schedules name it: `mo` to `su`. */
export type Weekday = Extract<Rule, { kind: 'weekly' }>['days'][number]

/** The days from Monday on, as ISO 8601 orders them. */
export const isoWeek: readonly Weekday[] = ['mo', 'tu', 'we', 'th', 'fr', 'sa', 'su']

/** The regions whose week does not begin on Monday, by its first day, from CLDR: for browsers that do not say so. */
const regions = {
  fr: 'MV',
  sa: 'AF BH DJ DZ EG IQ IR JO KW LY OM QA SD SY',
  su: 'AG AS BD BR BS BT BW BZ CA CO DM DO ET GT GU HK HN ID IL IN IS JM JP KE KH KR LA MH MM MO MT MX MZ NI NP PA PE PH PK PR PT PY SA SG SV TH TT TW UM US VE VI WS YE ZA ZW',
} as const
const findListedFirstDay = (region: string | undefined) =>
  (['fr', 'sa', 'su'] as const).find((day) => regions[day].split(' ').includes(region ?? ''))

interface WeekInfo {
  /** 1 is Monday, 7 Sunday */
  firstDay: number
}

function findFirstDay(): Weekday {
  // browsers have one, the other or neither: the proposal turned the getter into a method
  const own = new Intl.Locale(locale) as Intl.Locale & { getWeekInfo?: () => WeekInfo; weekInfo?: WeekInfo }
  const firstDay = (own.getWeekInfo?.() ?? own.weekInfo)?.firstDay
  return isoWeek[(firstDay ?? 0) - 1] ?? findListedFirstDay(own.maximize().region) ?? 'mo'
}

/** The days of a week as the reader's calendar has them: it begins on Sunday in the United States and Brazil, on Monday in Germany. */
export function listWeekdays(): Weekday[] {
  const first = isoWeek.indexOf(findFirstDay())
  return [...isoWeek.slice(first), ...isoWeek.slice(0, first)]
}

/** @returns 'Monday', 'Mon' or 'M', in the reader's language */
export const formatWeekday = (day: Weekday, style: 'long' | 'short' | 'narrow' = 'long'): string =>
  // the fifth of January 1970 was a Monday
  new Intl.DateTimeFormat(locale, { weekday: style, timeZone: 'UTC' }).format(
    Date.UTC(1970, 0, 5 + isoWeek.indexOf(day)),
  )

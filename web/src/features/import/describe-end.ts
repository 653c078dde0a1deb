import { t } from '@lingui/core/macro'

/** Says how an import has ended. @param problem what ended it too early */
export function describeEnd(isCancelled: boolean, problem: string | undefined): string {
  if (problem !== undefined) return t`The import stopped.`
  return isCancelled ? t`The import was cancelled.` : t`Import finished`
}

import { t } from '@lingui/core/macro'
import { formatCount } from '../../../lib/locale.ts'

export const title = t`Length of this conversation`
export const percent = (value: number) => t`${value}%`
export const label = (value: number) => t`Length of this conversation: ${value}% of what the model can read`
export const explanation = (
  model: string,
  { percent: value, used, max }: Record<'percent' | 'used' | 'max', number>,
) =>
  t`With the last reply it took ${value}% of what ${model} can read at once: ${formatCount(used)} of ${formatCount(max)} tokens, with files and tools.`
export const willBeCut = (isTemporary: boolean) =>
  isTemporary
    ? t`When older messages no longer fit, the assistant no longer sees them.`
    : t`When older messages no longer fit, the assistant works from a summary of them.`
export const cut = (isTemporary: boolean) =>
  isTemporary
    ? t`Older messages no longer fit: the assistant no longer sees them.`
    : t`Older messages no longer fit: the assistant works from a summary of them.`
export const newChat = t`A new chat starts empty.`

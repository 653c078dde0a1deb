import { t } from '@lingui/core/macro'

export const thinking = t`Thinking…`
export const thoughts = t`Thoughts`
export function thoughtFor(duration: number) {
  const minutes = Math.floor(duration / 60)
  const seconds = duration % 60
  return minutes === 0 ? t`Thought for ${seconds} s` : t`Thought for ${minutes} min ${seconds} s`
}

import { t } from '@lingui/core/macro'

export const title = t`Custom instructions`
export const label = (assistantName: string) =>
  t`What should ${assistantName} know about you, and how should it reply?`
export const placeholder = t`For example: I am a nurse in Oslo. Reply briefly, in metric units.`
export const hint = t`Used in all conversations, starting with your next message. They cannot give tools more permissions.`
export const save = t`Save instructions`
export const saved = t`Instructions saved!`
export const savedHint = t`They apply from your next message on.`
export const notSaved = t`Instructions not saved`

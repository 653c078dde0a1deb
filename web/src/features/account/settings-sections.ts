import { t } from '@lingui/core/macro'

/** The sections of the settings in the order of the page; each is an address of its own, `/settings#usage`. */
export const settingsSections = {
  profile: t`Profile`,
  privacy: t`Privacy`,
  security: t`Security`,
  notifications: t`Notifications`,
  instructions: t`Instructions`,
  memory: t`Memory`,
  prompts: t`Saved prompts`,
  import: t`Import`,
  usage: t`Usage`,
  activity: t`Activity`,
  links: t`Shared links`,
} as const

/** The id of a section, as in its address. */
export type SettingsSection = keyof typeof settingsSections

/** Whether an id, which may come from an address that anybody wrote, is one of a section. */
export const isSettingsSection = (id: string): id is SettingsSection => Object.hasOwn(settingsSections, id)

export const listSettingsGroups = (assistantName: string) =>
  [
    { heading: t`You`, ids: ['profile', 'privacy', 'security', 'notifications'] },
    { heading: assistantName, ids: ['instructions', 'memory', 'prompts'] },
    { heading: t`Data`, ids: ['import', 'usage', 'activity', 'links'] },
  ] as const satisfies readonly { heading: string; ids: readonly SettingsSection[] }[]

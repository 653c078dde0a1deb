import * as promptTexts from '../../components/saved-prompts-texts.ts'
import * as memoryTexts from './memory-texts.ts'
import * as texts from './texts.ts'

/** The sections of the settings in the order of the page; each is an address of its own, `/settings#usage`. */
export const settingsSections = {
  profile: texts.sectionProfile,
  privacy: texts.sectionPrivacy,
  security: texts.sectionSecurity,
  notifications: texts.notifications,
  instructions: texts.sectionInstructions,
  memory: memoryTexts.title,
  prompts: promptTexts.list,
  import: texts.sectionImport,
  usage: texts.sectionUsage,
  activity: texts.sectionActivity,
  links: texts.sharedLinks,
} as const

export type SettingsSection = keyof typeof settingsSections

export const isSettingsSection = (id: string): id is SettingsSection => id in settingsSections

/** The sections in groups. */
export const settingsGroups = (assistantName: string) =>
  [
    { heading: texts.groupYou, ids: ['profile', 'privacy', 'security', 'notifications'] },
    { heading: assistantName, ids: ['instructions', 'memory', 'prompts'] },
    { heading: texts.groupData, ids: ['import', 'usage', 'activity', 'links'] },
  ] as const satisfies readonly { heading: string; ids: readonly SettingsSection[] }[]

import * as promptTexts from '../../components/saved-prompts-texts.ts'
import * as memoryTexts from './memory-texts.ts'
import * as texts from './texts.ts'

/** The sections of the settings in the order of the page; each is an address of its own, `/settings#usage`. */
export const settingsSections = {
  profile: texts.sectionProfile,
  privacy: texts.sectionPrivacy,
  security: texts.sectionSecurity,
  import: texts.sectionImport,
  instructions: texts.sectionInstructions,
  memory: memoryTexts.title,
  prompts: promptTexts.list,
  usage: texts.sectionUsage,
  activity: texts.sectionActivity,
  links: texts.sharedLinks,
  notifications: texts.notifications,
} as const

import type { Language } from '#shared/languages.ts'
import { renderMailLayout } from '../sign-in/mail-templates.ts'
import { mailTexts } from '../sign-in/mail-texts.ts'
import { notificationTexts, type NotificationKind } from './notification-texts.ts'

/** The mail about a conversation, or a schedule: its title and the way to it, nothing that is in it. @param title one line */
export function buildNotificationMail({
  brandName,
  kind,
  title,
  language,
  link,
}: {
  brandName: string
  kind: NotificationKind
  title: string
  language: Language
  link: string
}): { subject: string; html: string; text: string } {
  const { action: open, openSchedules, closing, ...texts } = notificationTexts[language]
  const action = kind === 'skipped' || kind === 'paused' ? openSchedules : open
  const fill = (text: string) => text.replace('{brand}', () => brandName).replace('{title}', () => title)
  const opening = fill(texts[kind].opening)
  return {
    subject: fill(texts[kind].subject),
    html: renderMailLayout({ brandName, language, link, opening, action, closing }),
    text: `${mailTexts[language].greeting}\n\n${opening}\n\n${link}\n\n${closing}\n`,
  }
}

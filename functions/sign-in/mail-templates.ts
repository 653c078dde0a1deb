import { getDirection } from '#shared/languages.ts'
import { mailTexts, type MailLanguage } from './mail-texts.ts'

/**
 * A mail for Cognito: HTML with a placeholder for the code. It carries no name of an account: anybody can sign up with another person's
 * address, and would write to that person in the operator's name.
 */
export interface MailTemplate {
  subject: string
  html: string
}

export interface MailContext {
  origin: string
  brandName: string
  email: string
  language: MailLanguage
  /** Cognito's placeholder; must not be encoded, or Cognito does not replace it */
  codeParameter: string
}

/** The mail with the link that confirms a new account. */
export const buildConfirmationMail = (context: MailContext): MailTemplate => buildCodeMail('signup', context)

/** The mail with the link to the page for a new password. */
export const buildRecoveryMail = (context: MailContext): MailTemplate => buildCodeMail('recovery', context)

type CodeMail = 'signup' | 'recovery'

function buildCodeMail(type: CodeMail, context: MailContext): MailTemplate {
  const { subject, opening, action, closing } = mailTexts[context.language][type]
  const fill = (text: string) => text.replace('{brand}', () => context.brandName)
  const link = buildAuthLink(type, context)
  return {
    subject: fill(subject),
    html: renderMailLayout({ ...context, link, opening: fill(opening), action, closing }),
  }
}

/**
 * The mail that invites a person.
 * @param link where they sign up
 * @param endsAt the last day, as people write it
 * @param inviter the address of who invites, if somebody does
 */
export function buildInvitationMail({
  brandName,
  link,
  endsAt,
  inviter,
}: {
  brandName: string
  link: string
  endsAt: string
  inviter?: string | undefined
}): MailTemplate & { text: string } {
  const invites = inviter === undefined ? 'You are invited' : `${inviter} invites you`
  const opening = `${invites} to ${brandName}. Please create your account with this e-mail address.`
  const closing = `The link is for you alone, because it also confirms your address. It is good until ${endsAt}. If you do not know what this is about, ignore this mail.`
  return {
    subject: `Your invitation to ${brandName}`,
    html: renderMailLayout({
      brandName,
      language: 'en',
      link,
      opening,
      action: 'Create my account',
      closing,
    }),
    text: `${mailTexts.en.greeting}\n\n${opening}\n\n${link}\n\n${closing}\n`,
  }
}

function buildAuthLink(
  type: CodeMail,
  { origin, email, codeParameter }: Pick<MailContext, 'origin' | 'email' | 'codeParameter'>,
) {
  return `${origin}/auth?type=${type}&email=${encodeURIComponent(email)}&code=${codeParameter}`
}

export interface MailLayout {
  brandName: string
  language: MailLanguage
  link: string
  codeParameter?: string
  opening: string
  action: string
  closing: string
}

/**
 * Renders the HTML of a mail. Mail programs support little CSS, so styles are inline, and colours work on light and dark backgrounds.
 * @param link is not HTML-escaped: its parts are URL-encoded, and an ampersand before `email=` or `code=` is valid HTML that also works in
 * programs that show the source as text
 */
export function renderMailLayout({
  brandName,
  language,
  link,
  codeParameter,
  opening,
  action,
  closing,
}: MailLayout): string {
  const texts = mailTexts[language]
  const code =
    codeParameter === undefined
      ? ''
      : `<p style="margin:0 0 24px">${escapeHtml(texts.code).replace('{code}', `<strong>${codeParameter}</strong>`)}</p>\n`
  return `<!doctype html>
<html lang="${language}" dir="${getDirection(language)}">
<head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${escapeHtml(brandName)}</title></head>
<body style="margin:0;padding:32px 16px;font-family:system-ui,-apple-system,'Segoe UI',sans-serif;font-size:16px;line-height:1.5">
<div style="max-width:520px;margin:0 auto">
<p style="margin:0 0 24px;font-weight:700">${escapeHtml(brandName)}</p>
<p style="margin:0 0 16px">${escapeHtml(texts.greeting)}</p>
<p style="margin:0 0 24px">${escapeHtml(opening)}</p>
<p style="margin:0 0 24px"><a href="${link}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#1f1d1a;color:#ffffff;border:1px solid #8a867d;text-decoration:none;font-weight:700">${escapeHtml(action)}</a></p>
<p style="margin:0 0 8px">${escapeHtml(texts.fallback)}</p>
<p style="margin:0 0 24px;word-break:break-all"><a href="${link}" style="color:inherit">${link}</a></p>
${code}<p style="margin:0;font-size:14px;opacity:.75">${escapeHtml(closing)}</p>
</div>
</body>
</html>`
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}

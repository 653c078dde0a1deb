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
  /** Cognito's placeholder; must not be encoded, or Cognito does not replace it */
  codeParameter: string
}

/** The mail with the link that confirms a new account. */
export function buildConfirmationMail({ brandName, ...context }: MailContext): MailTemplate {
  return {
    subject: `Confirm your ${brandName} account`,
    html: renderLayout({
      ...context,
      brandName,
      link: buildAuthLink('signup', context),
      opening: `Welcome to ${brandName}. Please confirm that this e-mail address is yours.`,
      action: 'Confirm my e-mail',
      closing: 'The link is good for 24 hours. If you did not create an account, ignore this mail.',
    }),
  }
}

/** The mail with the link to the page for a new password. */
export function buildRecoveryMail({ brandName, ...context }: MailContext): MailTemplate {
  return {
    subject: `Reset your ${brandName} password`,
    html: renderLayout({
      ...context,
      brandName,
      link: buildAuthLink('recovery', context),
      opening: `Somebody, most likely you, asked for a new password for ${brandName}.`,
      action: 'Choose a new password',
      closing:
        'The link is good for one hour. If it was not you, ignore this mail: your password stays as it is.',
    }),
  }
}

/**
 * The mail that invites a person.
 * @param link where they sign up
 * @param endsAt the last day, as people write it
 */
export function buildInvitationMail({
  brandName,
  link,
  endsAt,
}: {
  brandName: string
  link: string
  endsAt: string
}): MailTemplate & { text: string } {
  const opening = `You are invited to ${brandName}. Please create your account with this e-mail address.`
  const closing = `The invitation is good until ${endsAt}. If you do not know what this is about, ignore this mail.`
  return {
    subject: `Your invitation to ${brandName}`,
    html: renderLayout({ brandName, link, opening, action: 'Create my account', closing }),
    text: `Hello,\n\n${opening}\n\n${link}\n\n${closing}\n`,
  }
}

function buildAuthLink(
  type: 'signup' | 'recovery',
  { origin, email, codeParameter }: Omit<MailContext, 'brandName'>,
) {
  return `${origin}/auth?type=${type}&email=${encodeURIComponent(email)}&code=${codeParameter}`
}

interface Layout {
  brandName: string
  link: string
  codeParameter?: string
  opening: string
  action: string
  closing: string
}

// Mail programs support little CSS, so styles are inline, and colours work on light and dark backgrounds.
// The link is not HTML-escaped: its parts are URL-encoded, and an ampersand before `email=` or `code=` is valid HTML that
// also works in programs that show the source as text.
function renderLayout({ brandName, link, codeParameter, opening, action, closing }: Layout): string {
  const code =
    codeParameter === undefined
      ? ''
      : `<p style="margin:0 0 24px">If the page asks for a code, type <strong>${codeParameter}</strong>.</p>\n`
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${escapeHtml(brandName)}</title></head>
<body style="margin:0;padding:32px 16px;font-family:system-ui,-apple-system,'Segoe UI',sans-serif;font-size:16px;line-height:1.5">
<div style="max-width:520px;margin:0 auto">
<p style="margin:0 0 24px;font-weight:700">${escapeHtml(brandName)}</p>
<p style="margin:0 0 16px">Hello,</p>
<p style="margin:0 0 24px">${escapeHtml(opening)}</p>
<p style="margin:0 0 24px"><a href="${link}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#1f1d1a;color:#ffffff;border:1px solid #8a867d;text-decoration:none;font-weight:700">${escapeHtml(action)}</a></p>
<p style="margin:0 0 8px">If the button does not work, open this address:</p>
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

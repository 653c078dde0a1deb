import { emailAddress, type InvitationResult } from '#shared/contracts/admin.ts'
import { sayAdmin } from '#shared/sentences/admin.ts'
import { invitationId } from '../sign-in/invitations.ts'

/** Each takes some calls of the user pool, which allows about 30 a second, and the mailer. */
const invitedAtOnce = 10
/** The gateway waits 29 seconds. Who is not reached by then is told to be sent again. */
const timeMs = 22_000

/**
 * Invites each address of a list once, whatever its letter case and the blanks around it.
 * @param open ids of the invitations that there are
 * @param invite throws nothing
 * @returns in the order of the list
 */
export async function inviteEach(
  emails: readonly string[],
  open: ReadonlySet<string>,
  invite: (email: string) => Promise<InvitationResult>,
): Promise<InvitationResult[]> {
  const seen = new Set<string>()
  const results: InvitationResult[] = []
  const waiting: { email: string; index: number }[] = []
  for (const [index, line] of emails.entries()) {
    const email = line.replace(/^\uFEFF/, '').trim()
    const id = invitationId(email)
    results[index] = judge(email, { isOpen: open.has(id), isRepeated: seen.has(id) })
    if (results[index].status === 'invited') waiting.push({ email, index })
    seen.add(id)
  }
  const endsAtMs = performance.now() + timeMs
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift())
      results[next.index] =
        performance.now() < endsAtMs
          ? await invite(next.email)
          : { email: next.email, ...toResult('invalid', 'not_invited') }
  }
  await Promise.all(Array.from({ length: invitedAtOnce }, work))
  return results
}

/** The result for an address, with what there is to say about it. */
export function toResult(
  status: InvitationResult['status'],
  id: 'no_address' | 'invited_already' | 'repeated_address' | 'not_mailed' | 'not_invited' | 'account_exists',
): Omit<InvitationResult, 'email'> {
  const { code, text } = sayAdmin(id)
  return { status, error: text, code }
}

function judge(
  email: string,
  { isOpen, isRepeated }: { isOpen: boolean; isRepeated: boolean },
): InvitationResult {
  if (!emailAddress.safeParse(email).success) return { email, ...toResult('invalid', 'no_address') }
  if (isRepeated) return { email, ...toResult('already', 'repeated_address') }
  if (isOpen) return { email, ...toResult('already', 'invited_already') }
  return { email, status: 'invited' }
}

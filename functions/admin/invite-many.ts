import { emailAddress, type InvitationResult, type ListedPerson } from '#shared/contracts/admin.ts'
import { foldGroupName, normalizeGroupName } from '#shared/group-names.ts'
import { sayAdmin } from '#shared/sentences/admin.ts'
import { invitationId } from '../sign-in/invitations.ts'

/** Each takes some calls of the user pool, which allows about 30 a second, and the mailer. */
const invitedAtOnce = 10
/** The gateway waits 29 seconds. Who is not reached by then is told to be sent again. */
const timeMs = 22_000

/** A person of a list, with groups that exist, or the first name that none has. */
export interface FoundPerson {
  readonly email: string
  readonly groups: readonly string[]
  readonly unknownGroup?: string | undefined
}

/**
 * Finds the groups that a list names, as people write them: in another letter case, with more blanks.
 * @param forAll groups of everybody
 * @param known names of all groups
 */
export function findListedGroups(
  people: readonly ListedPerson[],
  forAll: readonly string[],
  known: readonly string[],
): FoundPerson[] {
  const byFolded = Map.groupBy(known, foldGroupName)
  const find = (written: string) => {
    const name = normalizeGroupName(written)
    const [similar, other] = byFolded.get(foldGroupName(name)) ?? []
    return known.includes(name) ? name : other === undefined ? similar : undefined
  }
  return people.map(({ email, groups }) => {
    const names = groups.filter((name) => name.trim() !== '')
    const found = names.flatMap((name) => find(name) ?? [])
    return {
      email,
      groups: [...new Set([...forAll, ...found])],
      unknownGroup: names.find((name) => find(name) === undefined),
    }
  })
}

/**
 * Invites each address of a list once, whatever its letter case and the blanks around it, into the groups of all its lines.
 * @param open ids of the invitations that there are
 * @param invite throws nothing
 * @returns in the order of the list
 */
export async function inviteEach(
  people: readonly FoundPerson[],
  open: ReadonlySet<string>,
  invite: (person: FoundPerson) => Promise<InvitationResult>,
): Promise<InvitationResult[]> {
  const seen = new Set<string>()
  const results: InvitationResult[] = []
  const waiting: (FoundPerson & { index: number })[] = []
  const listed = people.map((person) => {
    const email = person.email.replace(/^\uFEFF/, '').trim()
    return { ...person, email, id: invitationId(email) }
  })
  const linesById = Map.groupBy(listed, ({ id }) => id)
  for (const [index, { id, ...person }] of listed.entries()) {
    results[index] = judge(person, { isOpen: open.has(id), isRepeated: seen.has(id) })
    const groups = new Set(linesById.get(id)?.flatMap((line) => line.groups))
    if (results[index].status === 'invited') waiting.push({ ...person, groups: [...groups], index })
    seen.add(id)
  }
  const endsAtMs = performance.now() + timeMs
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift())
      results[next.index] =
        performance.now() < endsAtMs
          ? await invite(next)
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
  { email, unknownGroup }: FoundPerson,
  { isOpen, isRepeated }: { isOpen: boolean; isRepeated: boolean },
): InvitationResult {
  if (!emailAddress.safeParse(email).success) return { email, ...toResult('invalid', 'no_address') }
  if (isRepeated) return { email, ...toResult('already', 'repeated_address') }
  if (isOpen) return { email, ...toResult('already', 'invited_already') }
  if (unknownGroup !== undefined) {
    const { code, params, text } = sayAdmin('unknown_group', { name: normalizeGroupName(unknownGroup) })
    return { email, status: 'invalid', error: text, code, params }
  }
  return { email, status: 'invited' }
}

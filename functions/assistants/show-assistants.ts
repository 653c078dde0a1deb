import type { Assistant } from '#shared/contracts/assistants.ts'
import type { SavedPrompt } from '#shared/contracts/projects.ts'
import { adminGroup } from '#shared/user-pool.ts'
import type { User } from '../platform/auth/access-token.ts'
import { isOpenTo, type AssistantHead, type Member } from './assistant-reader.ts'
import type { AssistantRepository } from './assistant-repository.ts'
import { AssistantNotFound } from './errors.ts'

type Reader = Pick<AssistantRepository, 'countUses' | 'linkPicture'>

/** An assistant as its reader may see it; its audience and how often it was used are its publisher's and the administrators'. */
export async function showAssistant(
  { countUses, linkPicture }: Reader,
  head: AssistantHead,
  { sub, isAdmin = false }: { sub: string; isAdmin?: boolean },
): Promise<Assistant> {
  const { id, name, description, starters, version, published_at, tools, publisher_name } = head
  const { model, effort, disabled_tools, may_copy } = head
  const mine = head.publisher === sub
  const picture = await linkPicture(head)
  return {
    id,
    name,
    description,
    starters,
    version,
    published_at,
    mine,
    publisher: { name: publisher_name },
    tools,
    ...(model !== undefined && { model }),
    ...(effort !== undefined && { effort }),
    ...(disabled_tools.length > 0 && { disabled_tools }),
    ...(picture && { picture }),
    ...(may_copy && { may_copy }),
    ...((mine || isAdmin) && {
      audience: head.everyone ? ('everyone' as const) : { groups: [...(head.groups ?? [])].toSorted() },
      uses: await countUses(id),
    }),
    ...(mine && { project_id: head.project_id }),
  }
}

/**
 * The saved prompts of an assistant's newest version, under ids of their own: nobody can change them.
 * @throws AssistantNotFound if it is not there for the user
 */
export async function listAssistantPrompts(
  assistants: Pick<AssistantRepository, 'find' | 'loadVersion'>,
  user: Member,
  id: string,
): Promise<SavedPrompt[]> {
  const head = await assistants.find(user, id)
  const version = head && (await assistants.loadVersion(id, head.version))
  if (!version) throw new AssistantNotFound(`no assistant ${id} for the caller`)
  return (version.prompts ?? []).map((prompt, index) => ({ id: `${id}-${index}`, ...prompt }))
}

const showAll = async (
  reader: Reader,
  heads: readonly AssistantHead[],
  viewer: Parameters<typeof showAssistant>[2],
) =>
  Promise.all(
    heads
      .toSorted((a, b) => a.name.localeCompare(b.name) || a.published_at.localeCompare(b.published_at))
      .map((head) => showAssistant(reader, head, viewer)),
  )

/** The caller's own assistants and those for the caller's groups, by name. */
export async function listAssistants(assistants: AssistantRepository, user: Member): Promise<Assistant[]> {
  const lists = [{ publisher: user.sub }, 'everyone' as const, ...user.groups.map((group) => ({ group }))]
  const ids = new Set((await Promise.all(lists.map((list) => assistants.listIds(list)))).flat())
  const heads = await assistants.findHeads([...ids])
  return showAll(
    assistants,
    heads.filter((head) => isOpenTo(head, user)),
    user,
  )
}

/** All assistants, also those of disabled accounts. */
export async function listAllAssistants(
  assistants: AssistantRepository,
  { sub }: Pick<User, 'sub'>,
): Promise<Assistant[]> {
  const heads = await assistants.findHeads(await assistants.listIds('all'))
  return showAll(
    assistants,
    heads.filter(({ state }) => state === 'live'),
    { sub, isAdmin: true },
  )
}

/** Who may withdraw an assistant: its publisher, and administrators. @throws AssistantNotFound for anybody else */
export async function findToWithdraw(
  assistants: AssistantRepository,
  { sub, groups }: Pick<User, 'sub' | 'groups'>,
  id: string,
): Promise<{ head: AssistantHead; by: 'publisher' | 'administrator' }> {
  const head = await assistants.findHead(id)
  const by = head?.publisher === sub ? 'publisher' : groups.includes(adminGroup) ? 'administrator' : undefined
  // without a publisher nothing of it is left
  if (!head || head.publisher === '' || !by) throw new AssistantNotFound(`no assistant ${id} of the caller`)
  return { head, by }
}

import type { Assistant, PublishRequest } from '#shared/contracts/assistants.ts'
import type { Project, SavedPrompt } from '#shared/contracts/projects.ts'
import { maxStarters } from '#shared/limits.ts'

export interface PublishForm {
  name: string
  description: string
  starters: readonly string[]
  isForEveryone: boolean
  groups: readonly string[]
  news: string
  mayCopy: boolean
  /** a data URL; null: none; absent: as in the version before */
  picture?: string | null
}

/** The files of a project whose text is published: those that have one, or are still being read. */
export const listTextFiles = ({ files }: Pick<Project, 'files'>): Project['files'] =>
  files.filter(({ reading }) => reading && reading.state !== 'unreadable')

/** What the form begins with: the version before, or the project and its saved prompts. */
export function toPublishForm(
  { id, name }: Pick<Project, 'id' | 'name'>,
  {
    before,
    prompts,
    groups,
  }: { before: Assistant | undefined; prompts: readonly SavedPrompt[]; groups: readonly string[] },
): PublishForm {
  const { audience } = before ?? {}
  return {
    name: before?.name ?? name,
    description: before?.description ?? '',
    starters:
      before?.starters ??
      prompts
        .filter(({ project_id }) => project_id === id)
        .map(({ text }) => text)
        .slice(0, maxStarters),
    isForEveryone: audience === undefined ? groups.length === 0 : audience === 'everyone',
    // a group that the publisher has lost has left the audience
    groups: typeof audience === 'object' ? audience.groups.filter((group) => groups.includes(group)) : [],
    news: '',
    mayCopy: before?.may_copy === true,
  }
}

/** The body of `assistants.publish`. Empty starters and an empty note are left out; a picture that was not changed, too. */
export function toPublishRequest({
  name,
  description,
  starters,
  isForEveryone,
  groups,
  news,
  mayCopy,
  picture,
}: PublishForm): PublishRequest {
  return {
    name,
    description,
    starters: starters.filter((text) => text.trim() !== ''),
    audience: isForEveryone ? 'everyone' : { groups: [...groups] },
    ...(news.trim() !== '' && { news }),
    ...(mayCopy && { may_copy: true }),
    ...(picture !== undefined && { picture: picture && picture.slice(picture.indexOf(',') + 1) }),
  }
}

/** The address of the picture that will be shown. @returns undefined for none */
export const findShownPicture = (
  { picture }: Pick<PublishForm, 'picture'>,
  before: Pick<Assistant, 'picture'> | undefined,
): string | undefined => (picture === undefined ? before?.picture?.url : (picture ?? undefined))

/** Whether anybody would get the assistant. */
export const hasAudience = ({ isForEveryone, groups }: PublishForm): boolean =>
  isForEveryone || groups.length > 0

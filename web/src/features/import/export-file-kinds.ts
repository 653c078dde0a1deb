import { toBaseName } from './read-values.ts'

/** What a file of an export is: `other` for JSON and pages of an unknown meaning, `file` for what messages may name. */
export type FileKind =
  | 'conversations'
  /** one conversation in a folder of them */
  | 'conversation'
  | 'fileNames'
  | 'projects'
  | 'memories'
  | 'prompts'
  | 'account'
  /** a list of archives to download */
  | 'manifest'
  | 'accountData'
  | 'other'
  | 'file'

/** How much of a file is read to find out what it is: its first members stand there. */
export const peekBytes = 4_096

const junkPattern = /(?:^|\/)(?:__MACOSX\/|\._|\.DS_Store$|Thumbs\.db$|desktop\.ini$)/
/** Readable copies of the conversations. */
const copyPattern = /(?:^|\/)(?:chat|report)\.html$|(?:^|\/)conversations\/[^/]*\.md$/i
/** `file-abc-cat.png`, `file_00ab-<uuid>.png`: the id is at the start. */
export const fileIdPattern = /^file[-_][A-Za-z0-9]+/
/** Files with data of the account, which are not imported. */
const accountDataPattern =
  /^(?:user|users|user_settings|message_feedback|shared_conversations|tool-calls|usage|integrations|shared-links|waiting-replies)\.json$|^picture\.\w+$/i

/** The first pattern that matches the path decides. */
const kindsByName: readonly [RegExp, FileKind][] = [
  [/(?:^|\/)(?:conversation_asset_file_names|file-names)\.json$/, 'fileNames'],
  [/(?:^|\/)conversations[^/]*\.json$/i, 'conversations'],
  [/(?:^|\/)conversations\/[^/]*\.json$/i, 'conversation'],
  [/(?:^|\/)(?:projects\/[^/]*|projects)\.json$/i, 'projects'],
  [/(?:^|\/)memories\.json$/i, 'memories'],
  [/(?:^|\/)prompts\.json$/i, 'prompts'],
  [/(?:^|\/)account\.json$/i, 'account'],
  [/(?:^|\/)manifest[^/]*\.json$/i, 'manifest'],
]

/** Whether a file is one that operating systems and archivers add for themselves. */
export const isJunk = (path: string): boolean => junkPattern.test(path)

/** Whether a file is one that messages name: by its name, or its folder in this product's export. */
const isUpload = (path: string): boolean =>
  fileIdPattern.test(toBaseName(path)) || /(?:^|\/)files\/[^/]*$/.test(path)

/** Whether a file that begins as an archive may be an export: documents of Office, which messages name, are archives, too. */
export const mayBeExport = (path: string): boolean =>
  !isUpload(path) || (/\.zip$/i.test(path) && !fileIdPattern.test(toBaseName(path)))

/** Finds out by its path what a file is. @returns undefined for what is no part of an export */
export function findKind(path: string): FileKind | undefined {
  if (isJunk(path) || copyPattern.test(path)) return undefined
  const name = toBaseName(path)
  if (isUpload(path)) return 'file'
  const rule = kindsByName.find(([pattern]) => pattern.test(path))
  if (rule) return rule[1]
  if (accountDataPattern.test(name)) return 'accountData'
  return /\.(?:json|html?)$/i.test(name) ? 'other' : 'file'
}

/** Whether a file begins as one with conversations, of whatever product, does. @param start the first `peekBytes` */
export const hasMessages = (start: string): boolean =>
  /"(?:mapping|chat_messages|messages|messagesTree)"\s*:/.test(start)

/** Finds out by its beginning what a file is, if its name does not tell. One that nothing is known of may have conversations. */
export async function peekKind(file: Blob): Promise<FileKind> {
  const start = await file.slice(0, peekBytes).text()
  if (/"prompt_template"\s*:/.test(start)) return 'projects'
  if (/"(?:url|download_url|signed_url)"\s*:|https?:[^"\s]{1,2000}\.zip/.test(start) && !hasMessages(start))
    return 'manifest'
  return 'conversations'
}

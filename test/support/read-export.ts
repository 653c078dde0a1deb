import type { BuiltConversation } from '../../web/src/features/import/build-conversation.ts'
import { openExport } from '../../web/src/features/import/read-export.ts'

const { Blob: NodeBlob } = process.getBuiltinModule('node:buffer')
/** A file of an export as it is chosen. */
export const toFile = (content: string | Uint8Array, path: string) => ({
  file: new NodeBlob([content]) as unknown as File,
  path,
})
/** Reads an export as the page does; what is left out is counted, with names. */
export async function readExport(...files: ReturnType<typeof toFile>[]) {
  const reader = await openExport(files)
  const conversations: BuiltConversation[] = []
  for await (const { conversation } of reader.conversations) conversations.push(conversation)
  const leftOut = Object.fromEntries(
    Object.entries(reader.getLeftOut()).map(([kind, { count, names }]) => [
      kind,
      names.length > 0 ? `${count}: ${names.join(', ')}` : count,
    ]),
  )
  return { reader, conversations, leftOut }
}

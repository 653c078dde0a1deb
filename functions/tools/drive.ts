import { driveSentences } from '#shared/sentences/drive.ts'
import * as z from 'zod'
import type { ToolsAllowed } from '#shared/contracts/admin.ts'
import type { RouteResponse } from '#shared/contracts/route-contracts.ts'
import { maxFileBytes } from '#shared/limits.ts'
import type { ConnectedApi } from '../providers/api.ts'
import type { Connections } from '../integrations/credentials/open-connections.ts'
import { toEntryId } from '../integrations/store/connection.ts'
import { ConnectionNotAllowed } from '../integrations/store/errors.ts'
import { defineErrors } from '../platform/errors.ts'
import { parseEnv } from '../platform/env.ts'
import { replaceSlashes } from '../files/file-name.ts'
import { isConnectionAllowed } from '#shared/group-limits.ts'
import { outboundHttp, parseAllowList, ResponseTooLarge } from '../platform/net/outbound-http.ts'
import { ProviderError } from '../providers/provider-error.ts'
import { isReconnectRequired } from '../providers/reconnect-required.ts'
import { callBuiltInTool } from './servers/built-in.ts'
import { isUsable, openBuiltInApi } from './servers/load-connections.ts'

export const {
  DriveNotConnected,
  DriveToReconnect,
  DriveHasNoFile,
  DriveFileEmpty,
  DriveFileTooLarge,
  DriveUnexpected,
  DriveLate,
  DriveFailed,
} = defineErrors(driveSentences, {
  DriveNotConnected: [409, 'drive_unavailable.not_connected'],
  /** The grant is gone. */
  DriveToReconnect: [409, 'drive_unavailable.reconnect'],
  /** A folder, a form or something else that cannot become a file. */
  DriveHasNoFile: [422, 'drive_no_file.kind'],
  DriveFileEmpty: [422, 'drive_no_file.empty'],
  DriveFileTooLarge: [413, 'file_too_large.drive', { params: { megabytes: maxFileBytes / 1024 ** 2 } }],
  DriveUnexpected: [502, 'drive_failed.unexpected'],
  DriveLate: [502, 'drive_failed.late'],
  /** Drive has refused; the sentence says what it said. */
  DriveFailed: [502, 'drive_failed.refused'],
})

const providerId = 'google-drive'
/** The gateway waits 29 s for the response; the file is stored in the rest of them. */
const readMs = 20_000
/** the most that Drive and the capability list at once */
const pageSize = 100

const office = 'application/vnd.openxmlformats-officedocument.'
const googleType = 'application/vnd.google-apps.'
/**
 * What Google's own documents become; none of the others is a file.
 * https://developers.google.com/workspace/drive/api/guides/ref-export-formats
 */
const conversions: Readonly<Record<string, { extension: string; type: string }>> = {
  [`${googleType}document`]: { extension: 'docx', type: `${office}wordprocessingml.document` },
  [`${googleType}spreadsheet`]: { extension: 'xlsx', type: `${office}spreadsheetml.sheet` },
  [`${googleType}presentation`]: { extension: 'pptx', type: `${office}presentationml.presentation` },
  [`${googleType}drawing`]: { extension: 'png', type: 'image/png' },
}
const findConversion = (type: string) => (Object.hasOwn(conversions, type) ? conversions[type] : undefined)
const shortcutType = `${googleType}shortcut`
const canAttach = (type: string) => !type.startsWith(googleType) || findConversion(type) !== undefined

/** What a shortcut leads to. https://developers.google.com/workspace/drive/api/guides/shortcuts */
const target = z.object({ targetId: z.string(), targetMimeType: z.string().catch('') })
const metadata = z.object({
  name: z.string().catch(''),
  mimeType: z.string().catch(''),
  size: z.coerce.number().optional().catch(undefined),
  shortcutDetails: target.optional().catch(undefined),
})
const listed = z.object({
  files: z.array(
    metadata.extend({
      id: z.string(),
      modified: z.iso.datetime({ offset: true }).optional().catch(undefined),
    }),
  ),
  more: z.boolean(),
})

/** A file as it was read. */
interface DownloadedFile {
  name: string
  /** mime type */
  type: string
  body: Uint8Array
}

/**
 * Opens the Google Drive that a user has connected.
 * @throws DriveNotConnected, ConnectionNotAllowed
 */
export function driveOpener(connections: Connections) {
  const { OUTBOUND_ALLOW } = parseEnv({ OUTBOUND_ALLOW: z.string().optional() })
  const allow = parseAllowList(OUTBOUND_ALLOW)
  // tools get smaller responses
  const http = outboundHttp({ allow, timeoutMs: readMs, maxBytes: maxFileBytes })
  return async (sub: string, toolsAllowed: ToolsAllowed | undefined): Promise<ConnectedApi> => {
    if (!isConnectionAllowed('built_in', toolsAllowed))
      throw new ConnectionNotAllowed({ name: 'Google Drive' })
    const rows = await connections.integrations.list(sub)
    const row = rows.find((one) => toEntryId(one.mcp_id) === providerId && isUsable(one))
    const api = row && openBuiltInApi({ ...connections, http }, sub, row)
    if (!api) throw new DriveNotConnected('no usable connection')
    return api
  }
}

/** Lists the files that can be attached. @throws the errors above */
export const listDriveFiles = (api: ConnectedApi, query: string): Promise<RouteResponse<'drive.list'>> =>
  explainFailure(async (signal) => {
    const input = { query, maxResults: pageSize }
    const { files, more } = listed.parse(await callBuiltInTool(providerId, 'list_files', api, input, signal))
    return {
      files: files
        .map((file) => ({ ...file, mimeType: file.shortcutDetails?.targetMimeType ?? file.mimeType }))
        .filter(({ mimeType }) => canAttach(mimeType))
        .map(({ id, name, mimeType, size, modified }) => ({
          id,
          name,
          type: mimeType,
          // the converted file has another one
          size: (findConversion(mimeType) ? undefined : size) ?? null,
          modified_at: modified ?? null,
        })),
      more,
    }
  })

/** Reads a file, a document of Google's own as the format that Office has for it. @throws the errors above */
export const downloadDriveFile = (api: ConnectedApi, fileId: string): Promise<DownloadedFile> =>
  explainFailure((signal) => downloadFile(api, fileId, signal))

const untitled = 'Untitled'

/** @param name of a shortcut that led here */
async function downloadFile(
  api: ConnectedApi,
  fileId: string,
  signal: AbortSignal,
  shortcutName?: string,
): Promise<DownloadedFile> {
  const address = { addressParameters: { fileId } }
  const found = await api.call(
    '/files/{fileId}',
    // both kinds of drives, as the list has them
    { ...address, query: { fields: 'name,mimeType,size,shortcutDetails', supportsAllDrives: true } },
    signal,
  )
  const { name: ownName, mimeType, size = 0, shortcutDetails } = metadata.parse(found)
  const name = replaceSlashes(shortcutName ?? ownName) || untitled
  // a shortcut does not lead to another one
  if (mimeType === shortcutType && shortcutDetails && shortcutName === undefined)
    return downloadFile(api, shortcutDetails.targetId, signal, ownName)
  if (!canAttach(mimeType)) throw new DriveHasNoFile(`a file of type ${mimeType}`)
  const converted = findConversion(mimeType)
  if (!converted && size > maxFileBytes) throw new DriveFileTooLarge('more bytes than are read')
  const body = (await api.call(
    converted ? '/files/{fileId}/export' : '/files/{fileId}',
    {
      ...address,
      isFile: true,
      query: converted ? { mimeType: converted.type } : { alt: 'media', supportsAllDrives: true },
    },
    signal,
  )) as Uint8Array
  if (body.length === 0) throw new DriveFileEmpty('no bytes')
  return converted
    ? { name: addExtension(name, converted.extension), type: converted.type, body }
    : { name, type: mimeType, body }
}

const addExtension = (name: string, extension: string) =>
  name.toLowerCase().endsWith(`.${extension}`) ? name : `${name}.${extension}`

/** Turns the errors of connections and of unexpected responses into those above. */
async function explainFailure<Result>(act: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  try {
    return await act(AbortSignal.timeout(readMs))
  } catch (error) {
    if (error instanceof ProviderError && error.cause instanceof ResponseTooLarge)
      throw new DriveFileTooLarge('more bytes than are read')
    if (isReconnectRequired(error)) throw new DriveToReconnect('the grant is gone', { cause: error })
    if (error instanceof ProviderError)
      throw new DriveFailed({ why: error.sentences[0] ?? error.message }, { cause: error })
    if (error instanceof z.ZodError) throw new DriveUnexpected('not what is documented', { cause: error })
    if (error instanceof DOMException && error.name === 'TimeoutError')
      throw new DriveLate(`nothing within ${readMs} ms`, { cause: error })
    throw error
  }
}

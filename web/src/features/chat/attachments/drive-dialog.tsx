import { t } from '@lingui/core/macro'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { useId, useState } from 'react'
import { useNavigate } from '../../../lib/navigation/router.tsx'
import type { DriveFile } from '#shared/contracts/drive.ts'
import { formatSize } from '#shared/file-kinds.ts'
import { FileSummary } from '../../../components/file-icon.tsx'
import { QueryContent } from '../../../components/query-content.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { Callout } from '../../../components/ui/callout.tsx'
import { Dialog } from '../../../components/ui/dialog.tsx'
import { SearchField } from '../../../components/ui/search-field.tsx'
import { getErrorMessage } from '../../../lib/api/api-errors.ts'
import { hasErrorCode } from '../../../lib/api/has-error-code.ts'
import { callApi } from '../../../lib/api/call-api.ts'
import { formatDate } from '../../../lib/text/dates.ts'
import { locale } from '../../../lib/text/locale.ts'
import { useDebounced } from '../../../lib/browser/use-debounced.ts'
import { completeUpload } from './upload-file.ts'
import type { ChosenFile } from './upload-queue.ts'
import { useInput } from '../../../lib/input/use-input.ts'
import { integrationsPath } from '../../../lib/navigation/paths.ts'

/** How long after the last key the Drive is searched. */
const searchDebounceMs = 300
/** The service takes no more. */
const maxQueryCharacters = 200
/** The type prefix of Google Docs and the like, which are no files and are converted. */
const googleTypePrefix = 'application/vnd.google-apps.'
/** The service asks Drive, which may be slow. */
const driveTimeoutMs = 30_000

const driveQuery = (query: string) =>
  queryOptions({
    queryKey: ['drive', query],
    queryFn: async ({ signal }) => {
      const list = await callApi('drive.list', { query: { query } }, { signal, timeoutMs: driveTimeoutMs })
      return { ...list, files: list.files.map((file) => ({ ...file, name: file.name || t`Untitled` })) }
    },
    placeholderData: keepPreviousData,
    // not cached: the Drive may change, and another user may sign in
    gcTime: 0,
    // the user sees the error at once, and can try again
    retry: false,
  })

/** Has the service copy a file of the Drive to the uploads, and check it like an upload. */
async function copyDriveFile(fileId: string, signal: AbortSignal) {
  const { attachment } = await callApi(
    'drive.upload',
    { body: { file_id: fileId } },
    { signal, timeoutMs: driveTimeoutMs },
  )
  return completeUpload(attachment.id, signal)
}

/** Chooses files of the connected Google Drive, which are attached one by one while the dialog stays open. */
export function DriveDialog({
  onFiles,
  onClose,
}: {
  /** @returns whether all were attached */
  onFiles: (files: readonly ChosenFile[]) => boolean
  onClose: () => void
}) {
  const text = useInput(useId(), { onLeave: 'forget' })
  const [attachedIds, setAttachedIds] = useState<ReadonlySet<string>>(new Set())
  const term = useDebounced(text.value.trim(), searchDebounceMs)
  const query = useQuery(driveQuery(term))
  const { data, error, isPlaceholderData } = query
  const isUnavailable = hasErrorCode(error, 'drive_unavailable')
  const attach = ({ id, name, type, size }: DriveFile) => {
    const copy = (signal: AbortSignal) => copyDriveFile(id, signal)
    if (onFiles([{ name, type, ...(size !== null && { size }), copy }]))
      setAttachedIds((ids) => new Set([...ids, id]))
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t`Attach from Google Drive`}
      findFocusTarget={() => document.querySelector<HTMLElement>('[data-composer]')}
      footer={<Button onClick={onClose}>{t`Close`}</Button>}
    >
      {isUnavailable ? (
        <DriveUnavailable error={error} onClose={onClose} />
      ) : (
        <>
          <SearchField
            label={t`Search your Drive`}
            clearLabel={t`Clear search`}
            input={text}
            isSearching={term !== text.value.trim() || isPlaceholderData}
            maxLength={maxQueryCharacters}
            className="mb-3 w-full"
          />
          <QueryContent
            query={{ ...query, data: data?.files }}
            label={t`Loading your Drive`}
            failure={t`Your Drive could not be loaded.`}
            empty={
              term === ''
                ? t`There is nothing here that can be attached.`
                : t`Nothing that can be attached was found for “${{ query: term }}”.`
            }
          >
            {(files) => (
              <ul
                aria-label={t`Files of your Drive`}
                aria-busy={isPlaceholderData}
                className="divide-y divide-line"
              >
                {files.map((file) => (
                  <li key={file.id}>
                    <DriveRow
                      file={file}
                      isAttached={attachedIds.has(file.id)}
                      onAttach={() => attach(file)}
                    />
                  </li>
                ))}
              </ul>
            )}
          </QueryContent>
          {data?.more && (
            <p className="mt-3 text-sm text-ink-muted">{t`Only a part is shown. Search for others by their name or text.`}</p>
          )}
        </>
      )}
    </Dialog>
  )
}

/** Says that the Drive is not connected, and leads to the page on which it can be. */
function DriveUnavailable({ error, onClose }: { error: unknown; onClose: () => void }) {
  const navigate = useNavigate()
  return (
    <Callout
      variant="danger"
      error={error}
      action={{
        label: t`Connect it under “Tools”`,
        onClick: () => {
          // closed first, so that the dialog does not stay while the next page loads
          onClose()
          navigate(integrationsPath)
        },
      }}
    >
      {getErrorMessage(error)}
    </Callout>
  )
}

function DriveRow({
  file,
  isAttached,
  onAttach,
}: {
  file: DriveFile
  isAttached: boolean
  onAttach: () => void
}) {
  const facts = [
    ...(file.size === null ? [] : [formatSize(file.size, locale)]),
    ...(file.type.startsWith(googleTypePrefix) ? [t`converted when attached`] : []),
    ...(file.modified_at === null ? [] : [formatDate(new Date(file.modified_at))]),
  ]
  return (
    <div className="flex items-center gap-3 py-2">
      <FileSummary file={file}>{facts.join(' · ')}</FileSummary>
      <Button
        disabled={isAttached}
        aria-label={isAttached ? t`${file.name} is attached` : t`Attach ${file.name}`}
        onClick={onAttach}
      >
        {isAttached && <Check aria-hidden size={16} />}
        {isAttached ? t`Attached` : t`Attach`}
      </Button>
    </div>
  )
}

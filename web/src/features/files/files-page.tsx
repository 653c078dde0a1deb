import { plural, t } from '@lingui/core/macro'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { FolderOpen } from 'lucide-react'
import { useState } from 'react'
import type { Attachment } from '#shared/contracts/files.ts'
import type { RouteResponse } from '#shared/contracts/route-contracts.ts'
import { formatSize } from '#shared/file-kinds.ts'
import { lazyComponent } from '../../components/lazy-component.tsx'
import { OfflineBar } from '../../components/offline-bar.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { MoreRows, QueryContent } from '../../components/query-content.tsx'
import { Card } from '../../components/ui/card.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { useRight } from '../../lib/account/account-queries.ts'
import { conversationTitlesQuery } from '../../lib/conversations/conversation-list.ts'
import { settingsPath } from '../../lib/navigation/paths.ts'
import { useNavigate } from '../../lib/navigation/router.tsx'
import { useDocumentTitle } from '../../lib/navigation/use-document-title.ts'
import { locale } from '../../lib/text/locale.ts'
import { DeleteFileDialog } from './delete-file-dialog.tsx'
import { FileRow } from './file-row.tsx'
import { filesQuery, type ListedFile } from './files-queries.ts'

const formatSummary = (total: number, used: string, limit: string) =>
  plural(total, {
    one: `# file, by name. ${used} of ${limit} used.`,
    other: `# files, by name. ${used} of ${limit} used.`,
  })

const ImageViewer = lazyComponent(() => import('../../components/image-viewer.tsx'), 'ImageViewer', null)

/** Until the titles are loaded; the same one for every render. */
const noTitles: ReadonlyMap<string, string> = new Map()

/** How many files there are, and how much of the storage they use. */
function describeFiles({ total, storage }: RouteResponse<'files.list'>): string {
  return formatSummary(total, formatSize(storage.used_bytes, locale), formatSize(storage.limit_bytes, locale))
}

/** The user's stored files: open, download, delete. */
export function FilesPage() {
  const navigate = useNavigate()
  const files = useInfiniteQuery(filesQuery)
  const { data: titles = noTitles } = useQuery(conversationTitlesQuery)
  const [viewedImage, setViewedImage] = useState<Attachment>()
  const [fileToDelete, setFileToDelete] = useState<ListedFile>()
  useDocumentTitle(t`Your files`)

  // by id: one that is added after the first page has loaded moves others to the next page, where they are listed again
  const filesById = new Map(
    files.data?.pages.flatMap(({ attachments }) => attachments.map((file) => [file.id, file])),
  )
  const lastPage = files.data?.pages.at(-1)
  return (
    <div className="min-h-dvh">
      <OfflineBar />
      <PageHeader
        title={t`Your files`}
        subtitle={
          lastPage?.total ? describeFiles(lastPage) : t`Files you attached and images generated for you`
        }
        onBack={() => navigate(`${settingsPath}#privacy`)}
      />
      <main className="mx-auto max-w-[calc(var(--width-settings)+3rem)] px-6 pt-6 pb-16 max-sm:px-4 max-sm:pt-4 max-sm:pb-12">
        <QueryContent
          query={{ ...files, data: files.data && [...filesById.values()] }}
          label={t`Loading your files`}
          placeholder={rowSkeletons}
          failure={t`Your files could not be loaded.`}
        >
          {(list) =>
            list.length === 0 ? (
              <NoFiles />
            ) : (
              <>
                <Card as="ul" aria-label={t`Your files`} className="grid grid-cols-1 py-1">
                  {list.map((file) => (
                    <FileRow
                      key={file.id}
                      file={file}
                      titles={titles}
                      onView={setViewedImage}
                      onDelete={() => setFileToDelete(file)}
                    />
                  ))}
                </Card>
                <MoreRows query={files} />
              </>
            )
          }
        </QueryContent>
      </main>
      {viewedImage && <ImageViewer image={viewedImage} onClose={() => setViewedImage(undefined)} />}
      <DeleteFileDialog file={fileToDelete} onClose={() => setFileToDelete(undefined)} />
    </div>
  )
}

function NoFiles() {
  const mayUpload = useRight('upload')
  return (
    <div className="grid justify-items-start gap-1 py-16 max-sm:px-2">
      <FolderOpen aria-hidden size={24} strokeWidth={1.75} className="mb-3 text-ink-faint" />
      <h2 className="text-lg font-semibold tracking-tight">{t`No files yet`}</h2>
      <p className="max-w-[48ch] text-ink-muted">
        {mayUpload
          ? t`Files that you attach to messages and images that are generated for you are listed here.`
          : t`Your group may not add files. Images that are generated for you are listed here.`}
      </p>
    </div>
  )
}

const rowSkeletons = (
  <Card className="px-4">
    {['w-48', 'w-64', 'w-40', 'w-56'].map((width) => (
      <div key={width} className="flex h-17 items-center gap-3">
        <Skeleton className="size-10 shrink-0 rounded-sm" />
        <div className="min-w-0 flex-1">
          <Skeleton className={`${width} max-w-full`} />
          <Skeleton className="mt-2 w-32" />
        </div>
      </div>
    ))}
  </Card>
)

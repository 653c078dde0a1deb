import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { FolderOpen } from 'lucide-react'
import { Suspense, useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { deferred } from '../../components/lazy-component.tsx'
import type { Attachment } from '#shared/contracts/files.ts'
import type { RouteResponse } from '#shared/contracts/route-contracts.ts'
import { formatSize } from '#shared/file-kinds.ts'
import { OfflineBar } from '../../components/offline-bar.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Button } from '../../components/ui/button.tsx'
import { Notice } from '../../components/ui/callout.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { useBrand } from '../../lib/config.ts'
import { sessionTitlesQuery } from '../../lib/conversation-list.ts'
import { DeleteFileDialog } from './delete-file-dialog.tsx'
import { FileRow } from './file-row.tsx'
import { filesQuery, type ListedFile } from './files-queries.ts'

const { Deferred: ImageViewer } = deferred(() =>
  import('../../components/image-viewer.tsx').then((module) => module.ImageViewer),
)

const noTitles: ReadonlyMap<string, string> = new Map()

const counted = (total: number) => (total === 1 ? '1 file' : `${total.toLocaleString('en')} files`)

/** How many files there are, and how much of the user's space they take up. */
function describeFiles({ total, storage }: RouteResponse<'files.list'>): string {
  return `${counted(total)}, by name. ${formatSize(storage.used_bytes)} of ${formatSize(storage.limit_bytes)} used.`
}

/** Every file that is held of the user: what it is, where it belongs, and the ways to open it, take it along and delete it. */
export function FilesPage() {
  const navigate = useNavigate()
  const { brandName } = useBrand()
  const files = useInfiniteQuery(filesQuery)
  const { data: titles = noTitles } = useQuery(sessionTitlesQuery)
  const [viewed, setViewed] = useState<Attachment>()
  const [deleting, setDeleting] = useState<ListedFile>()
  useEffect(() => {
    const before = document.title
    document.title = `Your files - ${brandName}`
    return () => {
      document.title = before
    }
  }, [brandName])

  const listed = files.data?.pages.flatMap(({ attachments }) => attachments) ?? []
  const last = files.data?.pages.at(-1)
  return (
    <div className="min-h-dvh">
      <OfflineBar />
      <PageHeader
        title="Your files"
        lede={last?.total ? describeFiles(last) : 'What you attached, and what was made for you'}
        onBack={() => void navigate('/settings')}
      />
      <main className="mx-auto max-w-[calc(var(--width-settings)+3rem)] px-6 pt-6 pb-16 max-sm:px-2 max-sm:pt-2 max-sm:pb-12">
        {files.isPending ? (
          <RowSkeletons />
        ) : listed.length === 0 && files.isError ? (
          <div className="max-sm:px-2">
            <Notice tone="danger" action={{ label: 'Retry', onClick: () => void files.refetch() }}>
              Your files could not be loaded.
            </Notice>
          </div>
        ) : listed.length === 0 ? (
          <div className="grid justify-items-start gap-1 py-16 max-sm:px-2">
            <FolderOpen aria-hidden size={24} strokeWidth={1.75} className="mb-3 text-ink-faint" />
            <h2 className="text-lg font-semibold tracking-tight">No files yet</h2>
            <p className="max-w-[48ch] text-ink-muted">
              What you attach to a message, and pictures that are made for you, are listed here.
            </p>
          </div>
        ) : (
          <>
            <ul
              aria-label="Your files"
              className="grid grid-cols-1 rounded-lg bg-surface-raised py-1 text-ui hairline"
            >
              {listed.map((file) => (
                <FileRow
                  key={file.id}
                  file={file}
                  titles={titles}
                  onView={setViewed}
                  onDelete={() => setDeleting(file)}
                />
              ))}
            </ul>
            {files.isFetchNextPageError && (
              <div className="mt-3">
                <Notice tone="danger">More files could not be loaded.</Notice>
              </div>
            )}
            {files.hasNextPage && (
              <div className="mt-4 flex justify-center">
                <Button busy={files.isFetchingNextPage} onClick={() => void files.fetchNextPage()}>
                  Show more
                </Button>
              </div>
            )}
          </>
        )}
      </main>
      {viewed && (
        <Suspense>
          <ImageViewer image={viewed} onClose={() => setViewed(undefined)} />
        </Suspense>
      )}
      <DeleteFileDialog file={deleting} onClose={() => setDeleting(undefined)} />
    </div>
  )
}

function RowSkeletons() {
  return (
    <div
      role="status"
      aria-label="Loading your files"
      className="rounded-lg bg-surface-raised px-4 py-1 hairline"
    >
      {['w-48', 'w-64', 'w-40', 'w-56'].map((width) => (
        <div key={width} className="flex h-17 items-center gap-3">
          <Skeleton className="size-10 shrink-0 rounded-sm" />
          <div className="min-w-0 flex-1">
            <Skeleton className={`${width} max-w-full`} />
            <Skeleton className="mt-2 w-32" />
          </div>
        </div>
      ))}
    </div>
  )
}

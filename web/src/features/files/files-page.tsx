import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { FolderOpen } from 'lucide-react'
import { Suspense, useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { lazyComponent } from '../../components/lazy-component.tsx'
import type { Attachment } from '#shared/contracts/files.ts'
import type { RouteResponse } from '#shared/contracts/route-contracts.ts'
import { formatSize } from '#shared/file-kinds.ts'
import { OfflineBar } from '../../components/offline-bar.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Button } from '../../components/ui/button.tsx'
import { Callout } from '../../components/ui/callout.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { useBrand } from '../../lib/config.ts'
import { conversationTitlesQuery } from '../../lib/conversation-list.ts'
import { locale } from '../../lib/locale.ts'
import { DeleteFileDialog } from './delete-file-dialog.tsx'
import { FileRow } from './file-row.tsx'
import { filesQuery, type ListedFile } from './files-queries.ts'
import * as texts from './texts.tsx'
import * as commonTexts from '../../components/texts.ts'

const { Component: ImageViewer } = lazyComponent(() =>
  import('../../components/image-viewer.tsx').then((module) => module.ImageViewer),
)

const noTitles: ReadonlyMap<string, string> = new Map()

function describeFiles({ total, storage }: RouteResponse<'files.list'>): string {
  return texts.summary(total, formatSize(storage.used_bytes, locale), formatSize(storage.limit_bytes, locale))
}

/** The user's stored files: open, download, delete. */
export function FilesPage() {
  const navigate = useNavigate()
  const { brandName } = useBrand()
  const files = useInfiniteQuery(filesQuery)
  const { data: titles = noTitles } = useQuery(conversationTitlesQuery)
  const [viewedImage, setViewedImage] = useState<Attachment>()
  const [fileToDelete, setFileToDelete] = useState<ListedFile>()
  useEffect(() => {
    const before = document.title
    document.title = `${texts.title} - ${brandName}`
    return () => {
      document.title = before
    }
  }, [brandName])

  const listedFiles = files.data?.pages.flatMap(({ attachments }) => attachments) ?? []
  const lastPage = files.data?.pages.at(-1)
  return (
    <div className="min-h-dvh">
      <OfflineBar />
      <PageHeader
        title={texts.title}
        subtitle={lastPage?.total ? describeFiles(lastPage) : texts.subtitle}
        onBack={() => void navigate('/settings')}
      />
      <main className="mx-auto max-w-[calc(var(--width-settings)+3rem)] px-6 pt-6 pb-16 max-sm:px-2 max-sm:pt-2 max-sm:pb-12">
        {files.isPending ? (
          <RowSkeletons />
        ) : listedFiles.length === 0 && files.isError ? (
          <div className="max-sm:px-2">
            <Callout
              variant="danger"
              action={{ label: commonTexts.retry, onClick: () => void files.refetch() }}
            >
              {texts.notLoaded}
            </Callout>
          </div>
        ) : listedFiles.length === 0 ? (
          <div className="grid justify-items-start gap-1 py-16 max-sm:px-2">
            <FolderOpen aria-hidden size={24} strokeWidth={1.75} className="mb-3 text-ink-faint" />
            <h2 className="text-lg font-semibold tracking-tight">{texts.noFiles}</h2>
            <p className="max-w-[48ch] text-ink-muted">{texts.noFilesHint}</p>
          </div>
        ) : (
          <>
            <ul
              aria-label={texts.title}
              className="grid grid-cols-1 rounded-lg bg-surface-raised py-1 text-ui hairline"
            >
              {listedFiles.map((file) => (
                <FileRow
                  key={file.id}
                  file={file}
                  titles={titles}
                  onView={setViewedImage}
                  onDelete={() => setFileToDelete(file)}
                />
              ))}
            </ul>
            {files.isFetchNextPageError && (
              <div className="mt-3">
                <Callout variant="danger">{texts.moreNotLoaded}</Callout>
              </div>
            )}
            {files.hasNextPage && (
              <div className="mt-4 flex justify-center">
                <Button busy={files.isFetchingNextPage} onClick={() => void files.fetchNextPage()}>
                  {texts.showMore}
                </Button>
              </div>
            )}
          </>
        )}
      </main>
      {viewedImage && (
        <Suspense>
          <ImageViewer image={viewedImage} onClose={() => setViewedImage(undefined)} />
        </Suspense>
      )}
      <DeleteFileDialog file={fileToDelete} onClose={() => setFileToDelete(undefined)} />
    </div>
  )
}

function RowSkeletons() {
  return (
    <div role="status" aria-label={texts.loading} className="rounded-lg bg-surface-raised px-4 py-1 hairline">
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

import { t } from '@lingui/core/macro'
import { CopyDetails } from './ui/copy-details.tsx'
import { useQuery } from '@tanstack/react-query'
import { Download, ExternalLink, Share2, X, type LucideIcon } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import { useRef, useState, type ComponentProps } from 'react'
import type { Attachment } from '#shared/contracts/files.ts'
import { useActions } from '../lib/actions/actions.ts'
import { isNotFound } from '../lib/api/api-errors.ts'
import { BlockApps } from '../lib/browser/app-blockers.ts'
import { DocumentFlag } from './ui/document-flag.tsx'
import { isDataUrl } from '../lib/browser/data-url.ts'
import { fileLinkQuery } from '../lib/api/file-links.ts'
import { downloadImage, shareImage, type ViewedImage } from './share-image.ts'
import { giveFocus } from './ui/focus-return.ts'
import { preventDefault } from './ui/overlay.ts'
import { Spinner } from './ui/spinner.tsx'
import { useFileLinkHandlers } from './use-file-link-handlers.ts'

/** Shows a stored image over the whole page, dark in both themes. Escape and a click beside the image close it. */
export function ImageViewer({ image, onClose }: { image: Attachment; onClose: () => void }) {
  const opener = useRef(document.activeElement)
  const isInline = isDataUrl(image.url)
  const links = useQuery({ ...fileLinkQuery(image.id), enabled: !isInline })
  const url = links.data?.url ?? (isInline || links.isError ? image.url : undefined)
  return (
    <Radix.Root open onOpenChange={onClose}>
      <Radix.Portal>
        <Radix.Content
          aria-describedby={undefined}
          onCloseAutoFocus={(event) => giveFocus(event, opener.current)}
          // the viewer covers the page: only toasts are outside of it
          onPointerDownOutside={preventDefault}
          onClick={(event) => {
            // a press beside the picture, its buttons and its prompt, and not the end of a selection
            const isBeside = event.target instanceof Element && !event.target.closest('img,a,button,p')
            if (isBeside && getSelection()?.isCollapsed !== false) onClose()
          }}
          className="fixed inset-0 z-(--z-dialog) grid animate-fade grid-cols-1 grid-rows-[minmax(var(--height-topbar),auto)_minmax(0,1fr)_auto] justify-items-center bg-viewer text-viewer-ink scheme-dark outline-none"
        >
          <BlockApps />
          <DocumentFlag name="viewer" />
          <ViewerHeader
            image={image}
            url={url}
            expiresAt={links.data?.expires_at}
            canOpen={url !== undefined && !isInline}
          />
          <div className="flex min-h-0 w-full items-center justify-center px-6 max-sm:px-0">
            <Picture image={image} url={url} linkError={links.error} />
          </div>
          {image.prompt !== undefined && image.prompt !== '' ? (
            <p
              dir="auto"
              className="max-h-[20vh] max-w-(--width-measure) overflow-y-auto px-6 pt-4 pb-6 text-center text-ui wrap-anywhere text-viewer-ink-muted"
            >
              {t`Generated from: ${image.prompt}`}
            </p>
          ) : (
            <span className="h-6" />
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** The name of the image, and what can be done with it. @param url undefined while it has no link @param expiresAt when the link expires */
function ViewerHeader({
  image,
  url,
  expiresAt,
  canOpen,
}: {
  image: Attachment
  url: string | undefined
  expiresAt: string | undefined
  /** whether the link leads to the file storage: browsers open no data URL in a tab */
  canOpen: boolean
}) {
  const getLinkHandlers = useFileLinkHandlers()
  const { isClosed } = useActions()
  const viewedImage: ViewedImage | undefined =
    url === undefined ? undefined : { name: image.name, type: image.type, url, expiresAt }
  return (
    <header className="flex w-full items-center gap-1 pe-3 ps-5 max-sm:pe-1 max-sm:ps-4">
      <Radix.Title className="min-w-0 flex-1 truncate text-sm font-normal text-viewer-ink-muted" dir="auto">
        {image.name}
      </Radix.Title>
      <ViewerButton
        label={t`Download`}
        Icon={Download}
        disabled={!viewedImage}
        onClick={() => viewedImage && void downloadImage(viewedImage, isClosed)}
      />
      <ViewerButton
        label={t`Share`}
        Icon={Share2}
        disabled={!viewedImage}
        onClick={() => viewedImage && void shareImage(viewedImage, isClosed)}
      />
      {canOpen && (
        <a
          href={url}
          target="_blank"
          rel="noopener noreferrer"
          {...getLinkHandlers(image)}
          className={viewerButtonClass}
        >
          <ExternalLink aria-hidden size={16} />
          <span className="max-sm:sr-only">{t`Open`}</span>
        </a>
      )}
      <Radix.Close aria-label={t`Close`} className={viewerButtonClass}>
        <X aria-hidden size={20} strokeWidth={1.75} />
      </Radix.Close>
    </header>
  )
}

/** The image, or why it is not shown. @param url undefined while it has no link @param linkError why there is no new link */
function Picture({
  image,
  url,
  linkError,
}: {
  image: Attachment
  url: string | undefined
  linkError: Error | null
}) {
  // another link may work
  const [failedUrl, setFailedUrl] = useState<string>()
  if (url === undefined ? linkError : url === failedUrl)
    return (
      <div className="grid justify-items-center gap-2">
        <p role="alert" className="text-viewer-ink-muted">
          {isNotFound(linkError)
            ? t`This image is not available any more.`
            : t`The image could not be loaded.`}
        </p>
        <CopyDetails error={linkError} />
      </div>
    )
  if (url === undefined)
    return (
      <span role="progressbar" aria-label={t`Loading`}>
        <Spinner />
      </span>
    )
  return (
    <img
      src={url}
      alt={image.prompt || image.name}
      onError={() => setFailedUrl(url)}
      className="max-h-[min(100%,90vh)] max-w-full rounded-md object-contain"
    />
  )
}

const viewerButtonClass =
  'inline-flex h-8 items-center justify-center gap-1.5 rounded-sm px-3 text-sm font-medium text-viewer-ink transition-colors duration-(--duration-fast) hover:bg-white/12 hover:text-white max-sm:size-11 max-sm:px-0'

function ViewerButton({
  label,
  Icon,
  ...rest
}: { label: string; Icon: LucideIcon } & ComponentProps<'button'>) {
  return (
    <button {...rest} type="button" className={viewerButtonClass}>
      <Icon aria-hidden size={16} />
      <span className="max-sm:sr-only">{label}</span>
    </button>
  )
}

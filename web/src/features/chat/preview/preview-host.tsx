import { Fragment, useMemo, useState, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { useConfig } from '../../../lib/config.ts'
import { PreviewContext, type OpenedPreview, type Previews } from '../preview-context.ts'

/** Messages, and the preview that the user opens from one of them: beside what scrolls them. */
export function PreviewHost({
  getPreviewContainer,
  renderPanel,
  children,
}: {
  /** where the preview is shown; the same function as long as that is the same */
  getPreviewContainer: () => Element | null | undefined
  renderPanel: (opened: OpenedPreview) => ReactNode
  children: ReactNode
}) {
  const [opened, setOpened] = useState<Omit<OpenedPreview, 'onClose'> & { place: Element }>()
  const hasSandbox = useConfig()?.appsOrigin !== undefined
  const previews = useMemo(
    (): Previews => ({
      hasSandbox,
      open: (source, opener) => {
        const place = getPreviewContainer()
        if (place) setOpened({ source, opener, place })
      },
    }),
    [hasSandbox, getPreviewContainer],
  )
  return (
    <PreviewContext value={previews}>
      {children}
      {opened &&
        createPortal(
          <Fragment key={opened.source.code}>
            {renderPanel({
              source: opened.source,
              opener: opened.opener,
              onClose: () => setOpened(undefined),
            })}
          </Fragment>,
          opened.place,
        )}
    </PreviewContext>
  )
}

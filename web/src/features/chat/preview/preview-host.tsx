import { Fragment, useMemo, useState, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { useConfig } from '../../../lib/api/config.ts'
import { PreviewContext, type OpenedPreview, type Previews } from '../preview-context.ts'

/** Messages, and the preview that the user opens from one of them. Its panel is rendered into another element, beside the scroller. */
export function PreviewHost({
  getPreviewContainer,
  renderPanel,
  children,
}: {
  /** returns the element for the panel; must be a stable function */
  getPreviewContainer: () => Element | null | undefined
  renderPanel: (opened: OpenedPreview) => ReactNode
  children: ReactNode
}) {
  const [opened, setOpened] = useState<Omit<OpenedPreview, 'onClose'> & { container: Element }>()
  const hasSandbox = useConfig()?.appsOrigin !== undefined
  const previews = useMemo(
    (): Previews => ({
      hasSandbox,
      open: (source, opener) => {
        const container = getPreviewContainer()
        if (container) setOpened({ source, opener, container })
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
          opened.container,
        )}
    </PreviewContext>
  )
}

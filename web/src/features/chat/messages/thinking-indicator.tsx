import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import {
  FileText,
  FileUp,
  Image,
  MessageCircle,
  Search,
  Sparkles,
  Video,
  type LucideIcon,
} from 'lucide-react'
import { Status } from '../../../components/ui/status.tsx'
import type { ActivityKind } from '../tools/activity-kind.ts'

const describeAnalysis = (name: string) => (
  <Trans>
    Reading and analyzing "<bdi>{name}</bdi>"...
  </Trans>
)

const icons: Record<ActivityKind, LucideIcon> = {
  chat: MessageCircle,
  image_generation: Image,
  video_generation: Video,
  research: Search,
  file_upload: FileUp,
  document_analysis: FileText,
  other: Sparkles,
}

/**
 * Says what the assistant is doing until the reply has text, and while a tool runs. Without a document it is as high as a line of the reply, so
 * that nothing jumps.
 * @param progress 0 to 1; undefined if it is not known
 */
export function ThinkingIndicator({
  assistantName,
  activityKind,
  documentName,
  progress,
}: {
  assistantName: string
  activityKind: ActivityKind
  /** of the document that is being analysed, which is said instead of the thinking */
  documentName?: string | undefined
  progress?: number | undefined
}) {
  const Icon = icons[activityKind]
  return (
    <Status data-thinking={activityKind}>
      <p className="flex min-h-6.5 items-center gap-2 text-ui text-ink-muted">
        <Icon aria-hidden size={20} strokeWidth={1.75} className="text-accent motion-safe:animate-breathe" />
        {documentName === undefined ? (
          t`${assistantName} is thinking...`
        ) : (
          <span className="font-medium text-ink">{t`Analyzing document...`}</span>
        )}
      </p>
      {documentName !== undefined && (
        <p className="text-ui text-ink-muted wrap-anywhere">{describeAnalysis(documentName)}</p>
      )}
      {progress !== undefined && (
        <progress
          aria-label={t`Progress`}
          value={progress}
          className="mt-1 block h-1.5 w-full max-w-60 accent-accent"
        />
      )}
    </Status>
  )
}

import { FlaskConical } from 'lucide-react'
import { Badge } from '../../../components/ui/badge.tsx'
import { environmentLabels } from '../state/catalogue-cards.ts'

/** Whether a card is of the live service or of its sandbox. */
export function EnvironmentBadge({ isSandbox }: { isSandbox: boolean }) {
  if (!isSandbox) return <Badge variant="outline">{environmentLabels.production}</Badge>
  return (
    <Badge variant="warning-outline">
      <FlaskConical aria-hidden size={12} strokeWidth={2.25} />
      {environmentLabels.sandbox}
    </Badge>
  )
}

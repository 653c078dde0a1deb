import type { ReactNode } from 'react'
import { Card } from '../../../components/ui/card.tsx'
import { Skeleton } from '../../../components/ui/skeleton.tsx'

/** The cards of the catalogue beside each other, as many as fit. */
export function CardGrid({ children }: { children: ReactNode }) {
  return (
    <div className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,20rem),1fr))] gap-3">{children}</div>
  )
}

/** As many as a large screen shows. */
const skeletonCount = 9

/** The placeholder of the cards while they load. */
export const LoadingCards = () => (
  <CardGrid>
    {Array.from({ length: skeletonCount }, (_, index) => (
      <CardSkeleton key={index} />
    ))}
  </CardGrid>
)

function CardSkeleton() {
  return (
    <Card aria-hidden className="grid h-30 grid-cols-[40px_minmax(0,1fr)_auto] items-start gap-x-3 p-4">
      <Skeleton className="size-10 rounded-md" />
      <div className="grid gap-2.5 pt-1">
        <Skeleton className="h-3.5 w-24" />
        <Skeleton className="h-2.5 w-32" />
        <Skeleton className="h-2.5 w-full" />
        <Skeleton className="h-2 w-3/5" />
      </div>
      <Skeleton className="h-8 w-24 rounded-sm" />
    </Card>
  )
}

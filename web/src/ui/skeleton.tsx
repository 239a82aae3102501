import './skeleton.css'

interface SkeletonProps {
  readonly width?: string
  readonly height?: string
}

/** Holds the place of something that is on its way. Screen readers are told by the part that loads. */
export function Skeleton({ width = '100%', height = '1em' }: SkeletonProps) {
  // The policy of the pages allows no styles in HTML, but a drawing may say how large it is.
  return <svg class="skeleton" aria-hidden="true" width={width} height={height} />
}

import { CalendarPage } from './calendar-page.tsx'

/** What the services are about to lose. */
export default function LeavingPage() {
  return <CalendarPage changeType="expiring" name="leaving" />
}

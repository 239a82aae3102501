import { CalendarPage } from './calendar-page.tsx'

/** What is announced. */
export default function UpcomingPage() {
  return <CalendarPage changeType="upcoming" name="upcoming" />
}

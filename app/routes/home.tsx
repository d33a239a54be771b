export default function Home() { return <h1>홈</h1>; }

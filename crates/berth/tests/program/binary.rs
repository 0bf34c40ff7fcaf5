//! The binary as a process: its lock, its shutdown, its demo data, its commands.

use std::fs::Permissions;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

/// The binary with a clean environment.
fn berth(words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_berth"));
    for (name, _) in std::env::vars_os() {
        if name.to_str().is_some_and(|name| name.starts_with("BERTH_")) {
            command.env_remove(name);
        }
    }
    // Ignore the settings file of the user who runs the tests.
    command.args(words).env("BERTH_DEMO_QUIET", "1").current_dir(env!("CARGO_TARGET_TMPDIR"));
    command
}

fn run(words: &[&str]) -> Output {
    berth(words).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A running server. It is killed when the test ends.
struct Server {
    process: Child,
    address: String,
    told: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Server {
    /// Starts on a free port and waits for its output.
    fn start(data: &Path) -> Self {
        let words = ["serve", "--demo", "--listen", "127.0.0.1:0", "--log", "warn", "--data", data.to_str().unwrap()];
        let mut process = berth(&words).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut told = String::new();
        for line in BufReader::new(process.stdout.take().unwrap()).lines() {
            let line = line.unwrap();
            told.push_str(&line);
            told.push('\n');
            if line.contains("keeps the data") {
                break;
            }
        }
        let port =
            told.split("http://localhost:").nth(1).and_then(|rest| rest.split_whitespace().next()).expect("told");
        Self { process, address: format!("127.0.0.1:{port}"), told }
    }

    /// Starts without the demo, on a free port that its log shows.
    fn start_plain(data: &Path) -> Self {
        let words = ["serve", "--listen", "127.0.0.1:0", "--log", "info", "--data", data.to_str().unwrap()];
        let mut process = berth(&words).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(process.stderr.take().unwrap()).lines().map(|line| line.unwrap());
        let told = lines.find(|line| line.contains("Berth serves")).unwrap();
        let address = told.split("address=").nth(1).unwrap().trim().to_owned();
        // Keep reading, because the server blocks when its log pipe is full.
        std::thread::spawn(move || lines.count());
        Self { process, address, told }
    }

    /// Asks it to stop, and waits until it has.
    fn stop(mut self) {
        let told = Command::new("kill").arg(self.process.id().to_string()).status().unwrap();
        assert!(told.success() && self.process.wait().unwrap().success());
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        stream
    }

    /// Makes one call. Returns status and body.
    fn call(&self, method: &str, path: &str, headers: &str, body: &str) -> (u16, String) {
        let mut stream = self.connect();
        let length = body.len();
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{headers}Content-Length: {length}\r\n\r\n{body}"
        );
        stream.write_all(request.as_bytes()).unwrap();
        answer(stream)
    }

    fn get(&self, path: &str) -> Value {
        let (status, body) = self.call("GET", path, "Accept: application/json\r\n", "");
        assert_eq!(status, 200, "{body}");
        serde_json::from_str(&body).unwrap()
    }

    fn post(&self, path: &str, body: &Value) -> Value {
        let (status, body) = self.call("POST", path, "Content-Type: application/json\r\n", &body.to_string());
        assert_eq!(status, 200, "{body}");
        serde_json::from_str(&body).unwrap()
    }

    fn form(&self, body: &str) -> Value {
        let (_, body) =
            self.call("POST", "/connect/token", "Content-Type: application/x-www-form-urlencoded\r\n", body);
        serde_json::from_str(&body).unwrap()
    }

    /// The access token of a full sign-in.
    fn sign_in(&self, email: &str) -> String {
        let first = self.form(&format!("grant_type=password&username={email}&password=Open-Door-2026"));
        let first = first["access_token"].as_str().expect("a first-step token").to_owned();
        let headers = format!("Authorization: Bearer {first}\r\nContent-Type: application/json\r\n");
        assert_eq!(self.call("POST", "/api/Users/phone/challenge", &headers, "{}").0, 200);
        let messages = self.get("/dev/outbox");
        let bodies = messages.as_array().unwrap().iter().filter_map(|message| message["body"].as_str());
        let body = bodies.into_iter().find(|body| body.contains("code")).unwrap();
        let code: String = body.chars().filter(char::is_ascii_digit).take(6).collect();
        let full = self.form(&format!("grant_type=two_factor_exchange&pre_two_factor_token={first}&otp={code}"));
        full["access_token"].as_str().expect("an access token").to_owned()
    }

    fn signal(&self, name: &str) {
        let id = self.process.id().to_string();
        assert!(Command::new("kill").args(["-s", name, &id]).status().unwrap().success());
    }

    /// Waits for the process to end. Returns true if it succeeded.
    fn ends_well(&mut self) -> bool {
        let start = Instant::now();
        loop {
            if let Some(status) = self.process.try_wait().unwrap() {
                return status.success();
            }
            assert!(start.elapsed() < Duration::from_secs(15), "the server does not end");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

/// Reads an answer to its end, without decoding a chunked body.
fn answer(mut stream: TcpStream) -> (u16, String) {
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).unwrap();
    let whole = text(&bytes);
    let (head, body) = whole.split_once("\r\n\r\n").unwrap_or((&whole, ""));
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    (status, body.to_owned())
}

#[test]
fn a_public_server_without_stripe_keys_refuses_and_says_what_to_set() {
    let folder = tempfile::tempdir().unwrap();
    let words = ["serve", "--listen", "0.0.0.0:0", "--data", folder.path().to_str().unwrap()];
    let output = run(&words);
    let told = text(&output.stderr);
    assert!(!output.status.success() && told.contains("stripe_allow_sandbox = true"), "{told}");
}

#[test]
fn a_second_server_on_the_same_data_folder_refuses_and_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let mut first = Server::start(folder.path());
    let second = run(&["serve", "--listen", "127.0.0.1:0", "--data", folder.path().to_str().unwrap()]);
    assert_eq!(second.status.code(), Some(1));
    let sentence = text(&second.stderr);
    assert!(sentence.starts_with("berth: another `berth serve` is using the data folder "), "{sentence}");
    assert!(sentence.contains("--data") && sentence.lines().count() == 1, "{sentence}");
    assert_eq!(first.get("/readyz")["status"], "ready", "the first one continues");

    // A killed server leaves no lock behind.
    first.process.kill().unwrap();
    first.process.wait().unwrap();
    let third = Server::start(folder.path());
    assert_eq!(third.get("/readyz")["status"], "ready");
}

#[test]
fn on_a_stop_signal_it_finishes_open_requests_and_ends_open_streams() {
    let folder = tempfile::tempdir().unwrap();
    let mut demo = Server::start(folder.path());
    let token = demo.sign_in("intake@demo.example");
    let mut live = demo.connect();
    let watch = format!("GET /api/live HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n\r\n");
    live.write_all(watch.as_bytes()).unwrap();
    let mut begun = String::new();
    while !begun.contains("event: ready") {
        let mut bytes = [0; 1024];
        let count = live.read(&mut bytes).unwrap();
        assert!(count > 0, "{begun}");
        begun.push_str(&text(&bytes[..count]));
    }

    // A request whose second half is sent after the signal to stop.
    let mut slow = demo.connect();
    let head = "POST /connect/token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n\
        Content-Length: 19\r\n\r\ngrant_type";
    slow.write_all(head.as_bytes()).unwrap();
    std::thread::sleep(Duration::from_millis(300));
    demo.signal("TERM");
    std::thread::sleep(Duration::from_millis(300));
    assert!(TcpStream::connect(&demo.address).is_err(), "no new connection is accepted");
    slow.write_all(b"=password").unwrap();
    let (status, body) = answer(slow);
    assert_eq!(status, 400, "{body}");
    assert!(body.contains("Please enter your email and your password."), "{body}");

    let mut rest = Vec::new();
    live.read_to_end(&mut rest).unwrap();
    assert!(demo.ends_well());
}

#[test]
fn the_demo_prints_how_to_sign_in_and_keeps_its_data_on_a_second_start() {
    let folder = tempfile::tempdir().unwrap();
    let mut demo = Server::start(folder.path());
    for word in ["Open-Door-2026", "/dev/outbox", "/api/docs", "global@demo.example", "staff@demo.example"] {
        assert!(demo.told.contains(word), "{word} is not printed: {}", demo.told);
    }
    let sites = demo.get("/api/public/sites");
    let site = sites["items"].as_array().unwrap().iter().find(|site| site["isCommercial"] == false).unwrap().clone();
    let serves = |service: &str| site["services"].as_array().unwrap().iter().any(|known| known["id"] == service);
    let gender = if serves("gender-male") && !serves("gender-female") { 1 } else { 2 };
    let body = serde_json::json!({
        "siteId": site["id"], "gender": gender, "ageGroup": 3, "firstName": "Nora", "lastName": "Q",
        "phone": "+19095550123", "email": "nora@mail.example", "serviceIds": ["drug-treatment"],
    });
    let json = "Content-Type: application/json\r\n";
    let (status, answer) = demo.call("POST", "/api/public/reservations", json, &body.to_string());
    assert_eq!(status, 202, "{answer}");
    let asked: Value = serde_json::from_str(&answer).unwrap();
    let (_, outbox) = demo.call("GET", "/dev/outbox", "Accept: application/json\r\n", "");
    let outbox: Value = serde_json::from_str(&outbox).unwrap();
    let message = outbox.as_array().unwrap().iter().find(|message| message["to"] == "+19095550123").unwrap();
    let otp = &message["body"].as_str().unwrap()[..6];
    let confirm = format!("/api/public/reservations/{}/confirm", asked["id"].as_str().unwrap());
    let (status, answer) = demo.call("POST", &confirm, json, &serde_json::json!({"otp": otp}).to_string());
    assert_eq!(status, 201, "{answer}");
    demo.signal("INT");
    assert!(demo.ends_well());

    let again = Server::start(folder.path());
    let path = format!("/api/public/sites/{}", site["id"].as_str().unwrap());
    let left = again.get(&path)["availableBeds"].as_i64().unwrap();
    assert_eq!(left, site["availableBeds"].as_i64().unwrap() - 1, "the reservation is still there");
    let doctor = run(&["doctor", "--data", folder.path().to_str().unwrap()]);
    assert!(doctor.status.success(), "{}{}", text(&doctor.stdout), text(&doctor.stderr));
}

#[test]
fn openapi_needs_no_database_and_prints_the_servers_document() {
    let folder = tempfile::tempdir().unwrap();
    let output = berth(&["openapi"]).current_dir(folder.path()).output().unwrap();
    assert!(output.status.success());
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(document["paths"]["/api/Guests/{id}"]["patch"].is_object());
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is created");
    let demo = Server::start(&folder.path().join("data"));
    assert_eq!(demo.get("/api/openapi.json"), document);
}

#[test]
fn create_admin_prints_a_link_that_opens_the_first_step() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().to_str().unwrap();
    let ask = ["create-admin", "--email", "Root@a.example", "--first-name", "Rita", "--last-name", "Root"];
    let output = run(&[&ask[..], &["--data", data, "--listen", "127.0.0.1:8099"]].concat());
    let told = text(&output.stdout);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let link = told.lines().find(|line| line.starts_with("http")).expect("a link");
    assert!(link.starts_with("http://localhost:8099/login/callback#access_token=berth_i_"), "{link}");

    let server = Server::start_plain(folder.path());
    let token = link.split("access_token=").nth(1).unwrap();
    // The page of an invitation can show what it is for and request a new link.
    let shown = server.post("/api/public/invitation", &serde_json::json!({"token": token}));
    assert_eq!(
        (&shown["role"], &shown["email"], &shown["state"]),
        (&"GlobalAdmin".into(), &"R•••@a.example".into(), &"open".into())
    );
    let grant = format!("grant_type=invitation&access_token={token}");
    for _ in 0..2 {
        assert_eq!(server.form(&grant)["stage"], "first_step", "opening it does not use it up");
    }
    drop(server);

    let wrong = ["create-admin", "--email", "nobody", "--first-name", "A", "--last-name", "B", "--data", data];
    let output = run(&wrong);
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(1), "berth: --email: Invalid email.\n".to_owned()));
}

#[test]
fn the_demo_never_opens_real_data_whatever_the_names_of_its_users() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().to_str().unwrap();
    let person = ["--email", "global@demo.example", "--first-name", "Rita", "--last-name", "Root", "--data", data];
    assert!(run(&[&["create-admin"], &person[..]].concat()).status.success());
    let output = run(&["serve", "--demo", "--listen", "127.0.0.1:0", "--data", data]);
    let told = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1));
    assert!(told.contains("the database holds data that is not the demo's") && told.contains("--data"), "{told}");
}

#[test]
fn demo_data_is_never_served_as_real() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().to_str().unwrap();
    drop(Server::start(folder.path()));
    let output = run(&["serve", "--listen", "127.0.0.1:0", "--data", data]);
    let told = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1));
    assert!(told.contains("the database holds the demo") && told.contains("--demo"), "{told}");
}

#[test]
fn a_demo_listens_only_on_this_machine_without_two_settings() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    for public in [["--listen", "0.0.0.0:0"], ["--origins", "https://berth.example.org"]] {
        let words = ["serve", "--demo", "--data", data.to_str().unwrap()];
        let words =
            if public[0] == "--listen" { words.to_vec() } else { [&words[..], &["--listen", "127.0.0.1:0"]].concat() };
        let output = run(&[&words[..], &public].concat());
        let told = text(&output.stderr);
        assert!(!output.status.success() && told.contains("demo_allow_public = true"), "{told}");
    }
    assert!(!data.join("berth.sqlite").exists(), "nothing was created");
}

/// The last nine bits of a path's mode.
fn mode(path: &Path) -> u32 {
    std::fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn the_data_folder_is_made_private_even_if_it_was_open() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let migrate = || run(&["migrate", "--log", "info", "--data", data.to_str().unwrap()]);
    assert!(migrate().status.success());
    assert_eq!((mode(&data), mode(&data.join("berth.sqlite"))), (0o700, 0o600), "a new one");

    let uploads = data.join("files/uploads");
    std::fs::create_dir_all(&uploads).unwrap();
    std::fs::write(uploads.join("card.png"), "x").unwrap();
    let open = [
        (data.clone(), 0o755, 0o700),
        (data.join("berth.sqlite"), 0o644, 0o600),
        (data.join("files"), 0o755, 0o700),
        (uploads.clone(), 0o755, 0o700),
        (uploads.join("card.png"), 0o644, 0o600),
    ];
    for (path, before, _) in &open {
        std::fs::set_permissions(path, Permissions::from_mode(*before)).unwrap();
    }
    assert!(migrate().status.success());
    for (path, _, after) in &open {
        assert_eq!(mode(path), *after, "{}", path.display());
    }

    // A folder that is not only Berth's keeps its mode, because it may contain other things.
    std::fs::write(data.join("notes.txt"), "mine").unwrap();
    std::fs::set_permissions(&data, Permissions::from_mode(0o755)).unwrap();
    std::fs::set_permissions(data.join("berth.sqlite"), Permissions::from_mode(0o644)).unwrap();
    let output = migrate();
    let told = text(&output.stderr);
    assert!(output.status.success() && told.contains("chmod 700"), "{told}");
    assert_eq!(
        (mode(&data), mode(&data.join("berth.sqlite")), mode(&data.join("notes.txt")) & 0o700),
        (0o755, 0o600, 0o600)
    );
}

#[test]
fn doctor_reports_a_proxy_that_is_not_in_the_settings() {
    let folder = tempfile::tempdir().unwrap();
    let words = ["doctor", "--data", folder.path().to_str().unwrap(), "--origins", "https://berth.example.org"];
    let warning = "origins begin with https, so a proxy stands before Berth, but trusted_proxies is empty";
    assert!(text(&run(&words).stdout).contains(warning));
    assert!(!text(&run(&[&words[..], &["--trusted-proxies", "127.0.0.1"]].concat()).stdout).contains(warning));
}

#[test]
fn doctor_shows_settings_with_their_origin_and_hides_secrets() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    std::fs::write(folder.path().join("berth.toml"), "session_hours = 8\nmetrics_token = \"hush-hush\"\n").unwrap();
    let output = berth(&["doctor", "--data", data.to_str().unwrap(), "--idle-minutes", "20"])
        .current_dir(folder.path())
        .env("BERTH_HASHING_QUEUE", "9")
        .env("BERTH_SMS_PROVIDER", "webhook")
        .env("BERTH_TWILIO_AUTH_TOKEN", "hush-hush-3")
        .env("BERTH_SMS_WEBHOOK_URL", "https://sms.test.example/")
        .env("BERTH_SMS_WEBHOOK_SECRET", "hush-hush-and-hush-4")
        .output()
        .unwrap();
    let told = text(&output.stdout);
    assert!(output.status.success(), "{told}{}", text(&output.stderr));
    for line in [
        "idle_minutes             20  (--idle-minutes)",
        "session_hours            8  (berth.toml)",
        "hashing_queue            9  (BERTH_HASHING_QUEUE)",
        "metrics_token            (set)  (berth.toml)",
        "smtp_password            –  (default)",
        "twilio_auth_token        (set)  (BERTH_TWILIO_AUTH_TOKEN)",
        "sms_webhook_secret       (set)  (BERTH_SMS_WEBHOOK_SECRET)",
        "Mails are kept in the outbox.",
        "SMS leave by webhook.",
    ] {
        assert!(told.contains(line), "{line}\n{told}");
    }
    assert!(!told.contains("hush-hush"));
    assert!(told.contains("There is none yet") && !data.exists(), "looking creates nothing: {told}");
    let output = run(&["doctor", "--idle-minutes", "90"]);
    assert_eq!(text(&output.stderr), "berth: idle_minutes must be between 5 and 60\n");
}

/// Changes a row of the audit trail after removing the database's triggers.
fn tamper(data: &Path) {
    let url = format!("sqlite:{}", data.join("berth.sqlite").display());
    tokio::runtime::Runtime::new().unwrap().block_on(async {
        let db = berth_db::Db::open(&url).await.unwrap();
        let mut tx = db.begin().await.unwrap();
        tx.query("DROP TRIGGER audit_update").execute().await.unwrap();
        let text = "UPDATE audit SET summary = 'nothing' WHERE id = (SELECT MIN(id) FROM audit WHERE action = 'guest.accepted')";
        assert_eq!(tx.query(text).execute().await.unwrap(), 1);
        tx.commit().await.unwrap();
        db.close().await;
    });
}

/// A page of public sites without the times at which they were read.
fn without_times(mut page: Value) -> Value {
    for site in page["items"].as_array_mut().unwrap() {
        assert!(site.as_object_mut().unwrap().remove("asOf").is_some());
    }
    page
}

#[test]
fn a_backup_made_while_the_server_runs_is_complete_and_its_trail_is_verified() {
    let folder = tempfile::tempdir().unwrap();
    let (data, backup) = (folder.path().join("data"), folder.path().join("backup"));
    let (data_text, backup_text) = (data.to_str().unwrap(), backup.to_str().unwrap());
    let server = Server::start(&data);
    let sites = without_times(server.get("/api/public/sites"));
    let made = run(&["backup", "--to", backup_text, "--data", data_text, "--demo"]);
    assert!(made.status.success(), "{}", text(&made.stderr));
    assert!(text(&made.stdout).contains("The backup is in"), "{}", text(&made.stdout));
    let again = run(&["backup", "--to", backup_text, "--data", data_text, "--demo"]);
    assert!(!again.status.success(), "an existing folder is not changed");
    drop(server);

    // The backup is a complete data folder: a server can continue on it and seals the rows that were not sealed yet.
    let restored = Server::start(&backup);
    assert_eq!(without_times(restored.get("/api/public/sites")), sites);
    let picture = sites["items"][0]["coverImage"]["imagePath"].as_str().unwrap().to_owned();
    assert_eq!(restored.call("GET", &format!("/files/{picture}"), "", "").0, 200, "pictures are in it");
    restored.stop();
    let verify = |data: &str| run(&["audit", "verify", "--data", data, "--demo"]);
    let whole = verify(backup_text);
    assert!(whole.status.success(), "{}{}", text(&whole.stdout), text(&whole.stderr));
    assert!(text(&whole.stdout).contains("The audit trail is whole."));
    let head = text(&whole.stdout).split("The last seal is ").nth(1).unwrap().lines().next().unwrap().to_owned();

    tamper(&backup);
    let broken = verify(backup_text);
    assert_eq!(broken.status.code(), Some(1));
    assert!(text(&broken.stdout).contains("BROKEN: Seal 1 "), "{}", text(&broken.stdout));
    // A seal of this trail is in no other trail, for example an older state of it.
    let other = run(&["audit", "verify", "--data", data_text, "--demo", "--head", &head]);
    assert_eq!(other.status.code(), Some(1), "{}", text(&other.stdout));
}

#[test]
fn a_backup_of_postgres_points_to_its_own_tools() {
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().join("backup");
    let url = berth_db::testing::postgres_url();
    let told = run(&["backup", "--to", to.to_str().unwrap(), "--database-url", &url]);
    assert_eq!(told.status.code(), Some(1));
    assert!(text(&told.stderr).contains("pg_dump --format=custom"), "{}", text(&told.stderr));
    assert!(!to.exists());
}

/// `berth stripe-live-check` with a key, against the provider at an address.
fn live_check(address: &str, key: &str) -> Output {
    let mut command = berth(&["stripe-live-check", "--log", "warn"]);
    command.env("BERTH_STRIPE_API_BASE", address).env("BERTH_STRIPE_SECRET_KEY", key).output().unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_live_check_reports_its_results_and_accepts_only_test_keys() {
    use berth_stripe::sandbox::{MemoryStore, Sandbox};
    use secrecy::ExposeSecret;
    let _ = rustls::crypto::ring::default_provider().install_default();
    let sandbox = Sandbox::open(Box::new(MemoryStore::default()), &[]);
    let address = sandbox.listen().await.unwrap();
    let key = sandbox.secret_key();
    let of = async |key: &str| {
        let (address, key) = (address.clone(), key.to_owned());
        tokio::task::spawn_blocking(move || live_check(&address, &key)).await.unwrap()
    };
    let good = of(key.expose_secret()).await;
    let told = text(&good.stdout);
    assert!(good.status.success(), "{told}{}", text(&good.stderr));
    assert!(told.contains("  holds   a subscription is paid at once, less its discount\n"), "{told}");
    assert!(told.ends_with("All is well, and everything that was created is removed or archived.\n"), "{told}");
    assert!(!told.contains("BROKEN") && !told.contains(key.expose_secret()), "{told}");

    let unknown = of("sk_test_of_somebody_else").await;
    assert!(!unknown.status.success());
    assert!(text(&unknown.stdout).contains("BROKEN  the scenario runs to its end"), "{}", text(&unknown.stdout));

    for live in ["sk_live_1", "rk_live_1", "pk_test_1"] {
        let refused = of(live).await;
        assert!(!refused.status.success() && text(&refused.stdout).is_empty());
        let why = "this command takes sk_test_ and rk_test_ only";
        assert!(text(&refused.stderr).contains(why), "{}", text(&refused.stderr));
    }
    let insecure = live_check("http://stripe.example", "sk_test_1");
    assert!(text(&insecure.stderr).contains("stripe_api_base must begin with https://"), "{}", text(&insecure.stderr));
}

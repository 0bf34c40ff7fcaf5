//! The model's houses and beds: added, changed, removed. An occupied bed is not changed, and pending guests keep the
//! beds they need.

use crate::model::{Bed, Expected, Model, Right, Room, Shows, bed_name, room_name};
use crate::play::{answer, unknown};
use crate::step::Who;

impl Model {
    pub fn add_beds(&mut self, who: Who, room: u8, count: u8) -> Expected {
        let Some(room) = self.room(room).filter(|room| !self.rooms[*room].deleted) else { return unknown(who) };
        let site = self.rooms[room].site;
        if let Some(status) = Self::turned_away(who, site, Right::Build) {
            return answer(status);
        }
        let first = self.beds.len();
        let bed =
            Bed { room, name: String::new(), kind: "Detox", disabled: false, outage: None, left: None, deleted: false };
        self.beds.extend(std::iter::repeat_n(bed, usize::from(count)));
        self.versions[site] += 1;
        Expected { status: 201, shows: Shows::NewBeds((first..self.beds.len()).collect()) }
    }

    /// Returns true if pending guests still have enough vacant, enabled beds without those of `beds`, whose offers are withdrawn.
    fn spares(&self, site: usize, beds: &[usize]) -> bool {
        let offered = beds.iter().filter(|bed| self.is_offered(**bed)).count();
        let taken = self.vacant_among(beds);
        taken == 0 || self.free(site) + offered >= self.pending(site) + taken
    }

    pub fn set_bed(
        &mut self,
        who: Who,
        bed: u8,
        name: Option<u8>,
        disabled: bool,
        kind: Option<&'static str>,
    ) -> Expected {
        let Some(bed) = self.bed(bed).filter(|bed| !self.beds[*bed].deleted) else { return unknown(who) };
        let site = self.site_of(bed);
        if let Some(status) = Self::turned_away(who, site, Right::Build) {
            return answer(status);
        }
        let old = self.beds[bed].clone();
        let name = name.map_or_else(|| old.name.clone(), bed_name);
        let same_name = |other: &usize| *other != bed && self.beds[*other].name == name;
        if self.holder(bed).is_some() {
            return answer(409);
        }
        let outage = disabled.then(|| kind.or(old.outage).unwrap_or("out-of-service"));
        if name == old.name && outage == old.outage {
            return Expected { status: 200, shows: Shows::Bed(bed) };
        }
        if disabled && !old.disabled && !self.spares(site, &[bed]) {
            return answer(409);
        }
        if self.beds_in(old.room).iter().any(same_name) {
            return answer(422);
        }
        if disabled && !old.disabled {
            self.withdraw(&[bed]);
            self.expire_at(site);
        }
        self.beds[bed].name = name;
        self.beds[bed].disabled = disabled;
        self.beds[bed].outage = outage;
        self.versions[site] += 1;
        Expected { status: 200, shows: Shows::Bed(bed) }
    }

    pub fn remove_bed(&mut self, who: Who, bed: u8) -> Expected {
        let Some(bed) = self.bed(bed).filter(|bed| !self.beds[*bed].deleted) else { return unknown(who) };
        let site = self.site_of(bed);
        if let Some(status) = Self::turned_away(who, site, Right::Build) {
            return answer(status);
        }
        if self.holder(bed).is_some() || !self.spares(site, &[bed]) {
            return answer(409);
        }
        if !self.beds[bed].disabled {
            self.withdraw(&[bed]);
            self.expire_at(site);
        }
        self.beds[bed].deleted = true;
        self.versions[site] += 1;
        answer(204)
    }

    pub fn add_room(&mut self, who: Who, site: usize, name: Option<u8>) -> Expected {
        if let Some(status) = Self::turned_away(who, site, Right::Build) {
            return answer(status);
        }
        let name = name.map(room_name);
        let clash = |room: &Room| room.site == site && !room.deleted && Some(&room.name) == name.as_ref();
        if self.rooms.iter().any(clash) {
            return answer(422);
        }
        self.rooms.push(Room { site, name: name.unwrap_or_default(), deleted: false });
        self.versions[site] += 1;
        Expected { status: 201, shows: Shows::NewRoom(self.rooms.len() - 1) }
    }

    pub fn rename_room(&mut self, who: Who, room: u8, name: u8) -> Expected {
        let Some(room) = self.room(room).filter(|room| !self.rooms[*room].deleted) else { return unknown(who) };
        let (site, name) = (self.rooms[room].site, room_name(name));
        if let Some(status) = Self::turned_away(who, site, Right::Build) {
            return answer(status);
        }
        if self.rooms[room].name == name {
            return answer(200);
        }
        if self.rooms.iter().any(|other| other.site == site && !other.deleted && other.name == name) {
            return answer(422);
        }
        self.rooms[room].name = name;
        self.versions[site] += 1;
        answer(200)
    }

    pub fn remove_room(&mut self, who: Who, room: u8) -> Expected {
        let Some(room) = self.room(room).filter(|room| !self.rooms[*room].deleted) else { return unknown(who) };
        let site = self.rooms[room].site;
        if let Some(status) = Self::turned_away(who, site, Right::Build) {
            return answer(status);
        }
        let beds = self.beds_in(room);
        let occupied = beds.iter().any(|bed| self.holder(*bed).is_some());
        if occupied || !self.spares(site, &beds) {
            return answer(409);
        }
        if self.vacant_among(&beds) > 0 {
            self.withdraw(&beds);
            self.expire_at(site);
        }
        for bed in beds {
            self.beds[bed].deleted = true;
        }
        self.rooms[room].deleted = true;
        self.versions[site] += 1;
        answer(204)
    }
}
